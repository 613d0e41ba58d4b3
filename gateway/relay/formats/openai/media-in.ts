import { dataUrlIn } from '../../../base/bytes/data-url.ts'
import { isObject, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { MediaPart } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { audioMime } from './audio-format.ts'
import { markIn } from './fields.ts'

/**
 * Reads a content part with an image, audio, video or file (Chat Completions, "content parts"; `video_url` as defined
 * by compatible vendors). Undefined for other types; throws `malformed` without content.
 */
export function mediaIn(part: Json): MediaPart | undefined {
  const media = mediaOfType(part)
  return media && { ...media, ...markIn(part) }
}

function mediaOfType(part: Json): MediaPart | undefined {
  if (part.type === 'image_url') return imageIn(part.image_url)
  if (part.type === 'input_audio') return audioIn(part.input_audio)
  if (part.type === 'file') return fileIn(part.file)
  if (part.type === 'video_url') return videoIn(part.video_url)
  return undefined
}

/** Reads `image_url`: an object, or only the URL, which some clients send. */
function imageIn(value: unknown): MediaPart {
  const url = urlIn(value)
  if (url === undefined) throw malformed('messages.content.image_url')
  const detail = isObject(value) ? textIn(value.detail) : undefined
  return {
    type: 'media',
    kind: 'image',
    source: sourceOf(url, 'image/png'),
    ...(detail === undefined ? {} : { detail }),
  }
}

/** Reads a video, which is not part of OpenAI's own API. */
function videoIn(value: unknown): MediaPart {
  const url = urlIn(value)
  if (url === undefined) throw malformed('messages.content.video_url')
  return { type: 'media', kind: 'video', source: sourceOf(url, 'video/mp4') }
}

const urlIn = (value: unknown): string | undefined => textIn(isObject(value) ? value.url : value)

/** Reads base64 and its format; some vendors also accept a URL as data. */
function audioIn(value: unknown): MediaPart {
  const data = isObject(value) ? textIn(value.data) : undefined
  if (!isObject(value) || data === undefined) throw malformed('messages.content.input_audio')
  const mime = audioMime(textIn(value.format) ?? 'wav')
  const source = isUrl(data) ? sourceOf(data, mime) : { type: 'data' as const, mime, data }
  return { type: 'media', kind: 'audio', source: source.type === 'url' ? { ...source, mime } : source }
}

/** Reads bytes, a URL, or the id of a file stored at the vendor; bytes without a media type count as PDF. */
function fileIn(value: unknown): MediaPart {
  if (!isObject(value)) throw malformed('messages.content.file')
  const name = textIn(value.filename)
  const named = name === undefined ? {} : { name }
  const id = textIn(value.file_id)
  if (id !== undefined) return { type: 'media', kind: 'document', source: { type: 'file', id, of: 'openai' }, ...named }
  const data = textIn(value.file_data)
  if (data === undefined) throw malformed('messages.content.file')
  const mime = 'application/pdf'
  const source = isUrl(data) ? sourceOf(data, mime) : { type: 'data' as const, mime, data }
  return { type: 'media', kind: 'document', source, ...named }
}

/** Base64 has no colon. */
const isUrl = (text: string): boolean => /^(data:|https?:\/\/)/i.test(text.slice(0, 8))

function sourceOf(url: string, mime: string): Extract<MediaPart['source'], { type: 'data' | 'url' }> {
  const inline = dataUrlIn(url, mime)
  return inline ? { type: 'data', ...inline } : { type: 'url', url }
}
