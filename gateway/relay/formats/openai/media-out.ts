import { dataUrlOut } from '../../../base/bytes/data-url.ts'
import { present } from '../../../base/json/json.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { MediaPart } from '../conversation.ts'
import { cannotSay } from '../refusals.ts'
import { audioFormat } from './audio-format.ts'

/**
 * Writes a file as a content part of a user message. Throws (`cannotSay`) for files of other vendors and unsupported
 * kinds: compatible vendors accept video, OpenAI does not.
 */
export function mediaOut(part: MediaPart, target: RequestTarget): Json {
  if (part.detail !== undefined && part.kind !== 'image') target.drop('detail')
  if (part.kind === 'image') return imageOut(part)
  if (part.kind === 'audio') return audioOut(part)
  if (part.kind === 'document') return documentOut(part)
  if (target.strictOpenai) throw cannotSay('video', 'openai')
  return { type: 'video_url', video_url: { url: urlOf(part) } }
}

export const documentText = (text: string, title: string | undefined): string => (title ? `${title}\n\n${text}` : text)

const imageOut = (part: MediaPart): Json => ({
  type: 'image_url',
  image_url: present({ url: urlOf(part), detail: part.detail }),
})

/** Writes audio as base64 with its format; a URL is written in place of the base64, as some vendors' SDKs do. */
function audioOut({ source }: MediaPart): Json {
  if (source.type === 'data')
    return { type: 'input_audio', input_audio: { data: source.data, format: audioFormat(source.mime) } }
  if (source.type !== 'url') throw cannotSay(source.type === 'file' ? 'file' : 'audio', 'openai')
  return {
    type: 'input_audio',
    input_audio: present({ data: source.url, format: source.mime && audioFormat(source.mime) }),
  }
}

function documentOut({ source, name }: MediaPart): Json {
  if (source.type === 'text') return { type: 'text', text: documentText(source.text, name) }
  if (source.type === 'url') return { type: 'file', file: present({ file_data: source.url, filename: name }) }
  if (source.type === 'data') {
    const filename = name ?? `document.${extensionOf(source.mime)}`
    return { type: 'file', file: { filename, file_data: dataUrlOut(source) } }
  }
  if (source.of !== 'openai' && source.of !== 'responses') throw cannotSay('file', 'openai')
  return { type: 'file', file: present({ file_id: source.id, filename: name }) }
}

/** Returns the extension of a made-up file name, since OpenAI requires a file name. */
const extensionOf = (mime: string): string => (mime === 'text/plain' ? 'txt' : mime.replace(/^.*[/+]/, ''))

function urlOf({ kind, source }: MediaPart): string {
  if (source.type === 'url') return source.url
  if (source.type === 'data') return dataUrlOut(source)
  throw cannotSay(source.type === 'file' ? 'file' : kind, 'openai')
}
