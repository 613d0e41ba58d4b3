import { type JsonObject, objectIn, present } from '../../../base/json/json.ts'
import { chatModel } from '../../capabilities/chat-models.ts'
import type { RequestTarget } from '../codec.ts'
import type { CacheMark, ExtraPart, MediaPart, Part, TextPart } from '../conversation.ts'
import { cannotSay } from '../refusals.ts'
import { breakpointOut } from '../signature.ts'

/** What the writer of a request's content needs to know of the whole request. */
export type Writing = Readonly<{
  target: RequestTarget
  /** The request came in this dialect: what it alone knows is written back. */
  isOwn: boolean
}>

/** Text and media of a message or of a tool's result, as models read them. */
export function inputPart(part: TextPart | MediaPart, writing: Writing): JsonObject {
  const cache = cacheMark(part.cache, writing)
  if (part.type === 'text') return { type: 'input_text', text: part.text, ...cache }
  return { ...media(part, writing), ...cache }
}

/** An unknown part of a message's content, where it came in this dialect. */
export const extraContent = (part: Part): JsonObject | undefined =>
  part.type === 'extra' ? ownMember(part, 'content') : undefined

/** An unknown item of the input, where it came in this dialect. */
export const extraItem = (part: Part): JsonObject | undefined =>
  part.type === 'extra' ? ownMember(part, 'item') : undefined

/** What an extra part wraps, where it came in this dialect. */
function ownMember({ of, value }: ExtraPart, member: 'content' | 'item'): JsonObject | undefined {
  const held = of === 'responses' ? objectIn(value)[member] : undefined
  return held === undefined ? undefined : objectIn(held)
}

/** Where the prompt is worth caching, for models that take it said; a client of this dialect has said it of its own model. */
export function cacheMark(mark: CacheMark | undefined, { target, isOwn }: Writing): JsonObject {
  if (!mark) return {}
  if (isOwn || chatModel(target.model)?.hasBreakpoints) return breakpointOut(mark)
  target.drop('cache')
  return {}
}

/** Media of the kinds that models of OpenAI's read; films they do not. */
function media(part: MediaPart, writing: Writing): JsonObject {
  switch (part.kind) {
    case 'image':
      return image(part)
    case 'document':
      return document(part)
    case 'audio':
      return sound(part, writing)
    case 'video':
      throw cannotSay('video', 'responses')
  }
}

/** A picture by its file, its address or as a `data:` URL. */
function image({ source, detail }: MediaPart): JsonObject {
  if (source.type === 'text') throw cannotSay('image', 'responses')
  if (source.type === 'file') return present({ type: 'input_image', file_id: fileId(source), detail })
  const url = source.type === 'url' ? source.url : dataUrl(source)
  return present({ type: 'input_image', image_url: url, detail })
}

/** A document; one of plain text is written as text under its title. */
function document({ source, detail, name }: MediaPart): JsonObject {
  switch (source.type) {
    case 'text':
      return { type: 'input_text', text: name ? `${name}\n\n${source.text}` : source.text }
    case 'file':
      return present({ type: 'input_file', file_id: fileId(source), filename: name, detail })
    case 'url':
      return present({ type: 'input_file', file_url: source.url, filename: name, detail })
    case 'data':
      return present({ type: 'input_file', filename: name ?? nameFor(source.mime), file_data: dataUrl(source), detail })
  }
}

/** A sound, which only has bytes here: the relay fetches addresses, and files hold none. */
function sound({ source }: MediaPart, { target }: Writing): JsonObject {
  if (source.type !== 'data') throw cannotSay(source.type === 'file' ? 'file' : 'audio', 'responses')
  const [, subtype = ''] = source.mime.split('/')
  const format = audioFormats[subtype] ?? subtype
  if (format === '') target.drop('audio')
  return { type: 'input_audio', input_audio: { data: source.data, format } }
}

/** Kinds of sound whose format is not called like them. */
const audioFormats: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav', 'vnd.wave': 'wav' }

/** OpenAI's two dialects share their files; another vendor's id means nothing here. */
function fileId({ id, of }: Extract<MediaPart['source'], { type: 'file' }>): string {
  if (of !== 'responses' && of !== 'openai') throw cannotSay('file', 'responses')
  return id
}

/** Bytes as the vendor takes them. */
const dataUrl = ({ mime, data }: Extract<MediaPart['source'], { type: 'data' }>): string =>
  `data:${mime};base64,${data}`

/** OpenAI wants a name with every file, and reads its kind from the ending. */
const nameFor = (mime: string): string => `document.${endings[mime] ?? mime.split('/').at(-1)?.split('+')[0] ?? 'pdf'}`

/** Kinds of text whose files do not end like them. */
const endings: Readonly<Record<string, string>> = { 'text/plain': 'txt', 'text/markdown': 'md' }
