import { dataUrlIn } from '../../../base/bytes/data-url.ts'
import { isObject, type JsonObject, objectIn, own, textIn } from '../../../base/json/json.ts'
import type { CacheMark, MediaPart, Part, TextPart } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { breakpointIn } from '../signature.ts'

export function readContent(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (content === undefined || content === null) return []
  if (!Array.isArray(content)) throw malformed('input.content')
  return content.map(readPart)
}

/** Reads a tool's result: text, or a list of text and media. Anything else becomes text. */
export function readResult(output: unknown): readonly (TextPart | MediaPart)[] {
  if (output === '' || output === undefined || output === null) return []
  return readContent(Array.isArray(output) || typeof output === 'string' ? output : JSON.stringify(output)).map(
    (part) =>
      part.type === 'text' || part.type === 'media' ? part : { type: 'text', text: JSON.stringify(wireOf(part)) },
  )
}

/** Wraps an unknown content part, to distinguish it from unknown items. */
const contentExtra = (wire: JsonObject): Part => ({
  type: 'extra',
  of: 'responses',
  name: textIn(wire.type) ?? 'unknown',
  value: { content: wire },
})

function readPart(wire: unknown): Part {
  if (!isObject(wire)) throw malformed('input.content')
  switch (wire.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: required(wire.text), ...cacheOf(wire) }
    case 'refusal':
      return { type: 'refusal', text: required(wire.refusal) }
    case 'input_image':
      return image(wire)
    case 'input_file':
      return document(wire)
    case 'input_audio':
      return audioPart(wire)
    default:
      return contentExtra(wire)
  }
}

function image(wire: JsonObject): MediaPart {
  const file = textIn(wire.file_id)
  const url = textIn(wire.image_url)
  const rest = { ...detailOf(wire), ...cacheOf(wire) }
  if (file !== undefined) return { type: 'media', kind: 'image', source: fileSource(file), ...rest }
  if (url === undefined) throw malformed('input.content.image_url')
  return { type: 'media', kind: 'image', source: dataSource(url) ?? { type: 'url', url }, ...rest }
}

function document(wire: JsonObject): MediaPart {
  const name = textIn(wire.filename)
  const rest = { ...detailOf(wire), ...(name === undefined ? {} : { name }), ...cacheOf(wire) }
  const source = documentSource(wire, name)
  if (!source) throw malformed('input.content.file_data')
  return { type: 'media', kind: 'document', source, ...rest }
}

function documentSource(wire: JsonObject, name: string | undefined): MediaPart['source'] | undefined {
  const file = textIn(wire.file_id)
  if (file !== undefined) return fileSource(file)
  const url = textIn(wire.file_url)
  if (url !== undefined) return { type: 'url', url }
  const data = textIn(wire.file_data)
  if (data === undefined) return undefined
  return dataSource(data) ?? { type: 'data', mime: mimeOf(name), data }
}

/** The media type of audio is `audio/` and its format (docs/reference/conversion.md#media-types). */
function audioPart(wire: JsonObject): MediaPart {
  const { data, format } = objectIn(wire.input_audio)
  if (typeof data !== 'string') throw malformed('input.content.input_audio')
  const source = { type: 'data', mime: `audio/${textIn(format) ?? 'wav'}`, data } as const
  return { type: 'media', kind: 'audio', source, ...cacheOf(wire) }
}

const fileSource = (id: string) => ({ type: 'file', id, of: 'responses' }) as const

function dataSource(url: string): Extract<MediaPart['source'], { type: 'data' }> | undefined {
  const media = dataUrlIn(url, 'text/plain')
  return media && { type: 'data', ...media }
}

const mimes: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
}

/** Returns the media type of bare base64, by file name; most are PDFs. */
const mimeOf = (name: string | undefined): string =>
  own(mimes, name?.slice(name.lastIndexOf('.') + 1).toLowerCase() ?? '') ?? 'application/pdf'

function cacheOf(wire: JsonObject): { cache?: CacheMark } {
  const cache = breakpointIn(wire.prompt_cache_breakpoint)
  return cache ? { cache } : {}
}

const detailOf = ({ detail }: JsonObject): { detail?: string } => (typeof detail === 'string' ? { detail } : {})

function required(value: unknown): string {
  if (typeof value !== 'string') throw malformed('input.content.text')
  return value
}

const wireOf = (part: Part): unknown => (part.type === 'extra' ? objectIn(part.value).content : part)
