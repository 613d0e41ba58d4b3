import { dataUrlIn } from '../../../base/bytes/data-url.ts'
import { isObject, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { MediaPart } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { audioMime } from './audio-format.ts'
import { markIn } from './fields.ts'

/**
 * A content part that holds an image, a sound, a film or a file (Chat Completions, "content parts"; `video_url` as
 * vendors of this dialect have it). Undefined for parts of other types; throws `malformed` where the content is missing.
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

/** `image_url`: an object, or the URL alone as some clients write it. */
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

/** `video_url`, which is not OpenAI's own. */
function videoIn(value: unknown): MediaPart {
  const url = urlIn(value)
  if (url === undefined) throw malformed('messages.content.video_url')
  return { type: 'media', kind: 'video', source: sourceOf(url, 'video/mp4') }
}

const urlIn = (value: unknown): string | undefined => textIn(isObject(value) ? value.url : value)

/** `input_audio`: base64 and its format; vendors also take URLs in its place. */
function audioIn(value: unknown): MediaPart {
  const data = isObject(value) ? textIn(value.data) : undefined
  if (!isObject(value) || data === undefined) throw malformed('messages.content.input_audio')
  const mime = audioMime(textIn(value.format) ?? 'wav')
  const source = isAddress(data) ? sourceOf(data, mime) : { type: 'data' as const, mime, data }
  return { type: 'media', kind: 'audio', source: source.type === 'url' ? { ...source, mime } : source }
}

/** `file`: bytes, or the id of a file that lies with the vendor. Its kind is that of its media type. */
function fileIn(value: unknown): MediaPart {
  if (!isObject(value)) throw malformed('messages.content.file')
  const name = textIn(value.filename)
  const named = name === undefined ? {} : { name }
  const id = textIn(value.file_id)
  if (id !== undefined) return { type: 'media', kind: 'document', source: { type: 'file', id, of: 'openai' }, ...named }
  const data = textIn(value.file_data)
  if (data === undefined) throw malformed('messages.content.file')
  const mime = 'application/pdf'
  const source = isAddress(data) ? sourceOf(data, mime) : { type: 'data' as const, mime, data }
  return { type: 'media', kind: 'document', source, ...named }
}

/** Whether text is a URL; base64 has no colon. */
const isAddress = (text: string): boolean => /^(data:|https?:\/\/)/i.test(text.slice(0, 8))

/** A URL's bytes where it holds them itself, else the URL. */
function sourceOf(url: string, mime: string): Extract<MediaPart['source'], { type: 'data' | 'url' }> {
  const inline = dataUrlIn(url, mime)
  return inline ? { type: 'data', ...inline } : { type: 'url', url }
}
