import { type JsonObject, objectIn, own, present } from '../../../base/json/json.ts'
import { chatModel } from '../../capabilities/chat-models.ts'
import type { RequestTarget } from '../codec.ts'
import type { CacheMark, ExtraPart, MediaPart, Part, TextPart } from '../conversation.ts'
import { cannotSay } from '../refusals.ts'
import { breakpointOut } from '../signature.ts'

export type Writing = Readonly<{
  target: RequestTarget
  /** The request came in this dialect: parts that only it has are restored. */
  isOwn: boolean
}>

export function inputPart(part: TextPart | MediaPart, writing: Writing): JsonObject {
  const cache = cacheMark(part.cache, writing)
  if (part.type === 'text') return { type: 'input_text', text: part.text, ...cache }
  return { ...media(part, writing), ...cache }
}

export const extraContent = (part: Part): JsonObject | undefined =>
  part.type === 'extra' ? ownMember(part, 'content') : undefined

export const extraItem = (part: Part): JsonObject | undefined =>
  part.type === 'extra' ? ownMember(part, 'item') : undefined

function ownMember({ of, value }: ExtraPart, member: 'content' | 'item'): JsonObject | undefined {
  const wrapped = of === 'responses' ? objectIn(value)[member] : undefined
  return wrapped === undefined ? undefined : objectIn(wrapped)
}

/** Writes a cache mark, for models that support it; a client of this dialect knows its model. */
export function cacheMark(mark: CacheMark | undefined, { target, isOwn }: Writing): JsonObject {
  if (!mark) return {}
  if (isOwn || chatModel(target.model)?.hasBreakpoints) return breakpointOut(mark)
  target.drop('cache')
  return {}
}

/** Writes media of the kinds that OpenAI's models read; video is not one of them. */
function media(part: MediaPart, writing: Writing): JsonObject {
  switch (part.kind) {
    case 'image':
      return image(part)
    case 'document':
      return document(part)
    case 'audio':
      return audioPart(part, writing)
    case 'video':
      throw cannotSay('video', 'responses')
  }
}

function image({ source, detail }: MediaPart): JsonObject {
  if (source.type === 'text') throw cannotSay('image', 'responses')
  if (source.type === 'file') return present({ type: 'input_image', file_id: fileId(source), detail })
  const url = source.type === 'url' ? source.url : dataUrl(source)
  return present({ type: 'input_image', image_url: url, detail })
}

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

/** Writes audio, only as bytes: the relay has fetched URLs. Throws (`cannotSay`) for file ids. */
function audioPart({ source }: MediaPart, { target }: Writing): JsonObject {
  if (source.type !== 'data') throw cannotSay(source.type === 'file' ? 'file' : 'audio', 'responses')
  const [, subtype = ''] = source.mime.split('/', 2)
  const format = own(audioFormats, subtype) ?? subtype
  if (format === '') target.drop('audio')
  return { type: 'input_audio', input_audio: { data: source.data, format } }
}

/** Audio subtypes whose format has another name. */
const audioFormats: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav', 'vnd.wave': 'wav' }

/** OpenAI's two dialects share files; other vendors' ids are refused. */
function fileId({ id, of }: Extract<MediaPart['source'], { type: 'file' }>): string {
  if (of !== 'responses' && of !== 'openai') throw cannotSay('file', 'responses')
  return id
}

const dataUrl = ({ mime, data }: Extract<MediaPart['source'], { type: 'data' }>): string =>
  `data:${mime};base64,${data}`

/** OpenAI requires a name for every file, and derives the type from the extension. */
const nameFor = (mime: string): string =>
  `document.${own(endings, mime) ?? mime.slice(mime.lastIndexOf('/') + 1).split('+', 1)[0]}`

/** Text types whose extension differs from their subtype. */
const endings: Readonly<Record<string, string>> = { 'text/plain': 'txt', 'text/markdown': 'md' }
