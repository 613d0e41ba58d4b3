import { isObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { MediaPart } from '../conversation.ts'
import { cannotSay } from '../refusals.ts'
import { addition, additionsOf, cacheIn, cacheOut } from './cache-mark.ts'

export function takesUrl({ kind, source }: MediaPart): boolean {
  if (source.type !== 'url' || !/^https:/i.test(source.url)) return false
  if (kind === 'image') return true
  if (kind !== 'document') return false
  return source.mime === undefined ? /\.pdf(?:[?#]|$)/i.test(source.url) : source.mime === PDF
}

const PDF = 'application/pdf'

/** Reads an `image` or `document` block and its additions; undefined if its source is of an unknown kind. */
export function mediaIn(
  block: Json,
): Readonly<{ part: MediaPart; additions: ReturnType<typeof additionsOf> }> | undefined {
  const source = sourceIn(objectIn(block.source))
  if (!source) return undefined
  const title = textIn(block.title)
  const part: MediaPart = {
    type: 'media',
    kind: block.type === 'image' ? 'image' : 'document',
    source,
    ...(title === undefined ? {} : { name: title }),
    ...cacheIn(block),
  }
  const whole = objectIn(block.source).type === 'content' ? [addition('source', block.source, 'document.source')] : []
  return { part, additions: [...whole, ...additionsOf(block, KNOWN, CONTEXT)] }
}

const CONTEXT: ReadonlySet<string> = new Set(['context'])

/** The members that a part expresses; others, such as `citations` of documents, become additions. */
const KNOWN: ReadonlySet<string> = new Set(['type', 'source', 'title', 'cache_control'])

/** A document of content blocks becomes its text; the blocks are stored as an addition. */
function sourceIn(source: Json): MediaPart['source'] | undefined {
  const data = textIn(source.data)
  const url = textIn(source.url)
  const id = textIn(source.file_id)
  if (source.type === 'base64' && data !== undefined)
    return { type: 'data', mime: textIn(source.media_type) ?? '', data }
  if (source.type === 'url' && url !== undefined) return { type: 'url', url }
  if (source.type === 'file' && id !== undefined) return { type: 'file', id, of: 'anthropic' }
  if (source.type === 'text' && data !== undefined) return { type: 'text', text: data }
  return source.type === 'content' ? { type: 'text', text: contentText(source.content) } : undefined
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsIn(content)
    .map((block) => textIn(block.text) ?? '')
    .join('\n')
}

/** Throws if the vendor does not accept this kind of media. */
export function mediaOut(part: MediaPart): Json {
  const { kind, source, name } = part
  if (kind === 'audio' || kind === 'video') throw cannotSay(kind, 'anthropic')
  const written = kind === 'image' ? imageSource(source) : documentSource(source)
  const title = kind === 'document' && name ? { title: name } : {}
  return { type: kind, source: written, ...title, ...cacheOut(part.cache) }
}

/** The vendor accepts JPEG, PNG, GIF and WebP, and refuses other types itself. */
function imageSource(source: MediaPart['source']): Json {
  if (source.type === 'text') throw cannotSay('image', 'anthropic')
  if (source.type !== 'data') return sourceOut(source)
  return { type: 'base64', media_type: source.mime === 'image/jpg' ? 'image/jpeg' : source.mime, data: source.data }
}

/** Text of any type is sent as plain text, the only type the vendor accepts other than PDF. */
function documentSource(source: MediaPart['source']): Json {
  if (source.type === 'text') return { type: 'text', media_type: 'text/plain', data: source.text }
  if (source.type !== 'data') return sourceOut(source)
  if (source.mime === PDF) return { type: 'base64', media_type: PDF, data: source.data }
  if (!TEXTUAL.test(source.mime)) throw cannotSay('document', 'anthropic')
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.data, 'base64').toString('utf8') }
}

const TEXTUAL = /^(?:text\/|application\/(?:json|xml|javascript|x-yaml|yaml|[\w.-]+\+(?:json|xml))\b)/

/** Writes a source that the vendor fetches or stores; files of other vendors are refused. */
function sourceOut(source: Exclude<MediaPart['source'], Readonly<{ type: 'data' | 'text' }>>): Json {
  if (source.type === 'url') return { type: 'url', url: source.url }
  if (source.of !== 'anthropic') throw cannotSay('file', 'anthropic')
  return { type: 'file', file_id: source.id }
}

export const isMedia = (block: unknown): block is Json =>
  isObject(block) && (block.type === 'image' || block.type === 'document')
