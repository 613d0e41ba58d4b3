import { sha256 } from '../../../base/ids.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import type { VendorSearch } from '../vendor-search.ts'
import { messageIn } from './message.ts'

/** The members of parts that tell what the vendor's own tools did beside functions. */
const OWN_TOOLS = ['toolCall', 'toolResponse'] as const

/** Which of them a part is; undefined for any other part (docs/reference/conversion.md#tools-beside-functions). */
export const ownToolOf = (part: JsonObject): (typeof OWN_TOOLS)[number] | undefined =>
  OWN_TOOLS.find((name) => part[name] !== undefined)

/** What a `toolCall` did on the web (Gemini API, "ToolCall"); nothing for other tools, and for what came of it. */
export function searchesIn(part: JsonObject): readonly VendorSearch[] {
  const { id, toolType, args } = messageIn(part.toolCall)
  const { queries, urls } = objectIn(args)
  const of = { id: repeatable(textIn(id) ?? ''), pages: [] }
  const type = textIn(toolType) ?? ''
  if (type.startsWith('GOOGLE_SEARCH')) return [{ ...of, action: 'search', queries: texts(queries) }]
  if (type !== 'URL_CONTEXT') return []
  return texts(urls)
    .slice(0, MAX_URLS)
    .map((url) => ({ ...of, action: 'open', queries: [], url }))
}

/** An id that is repeated with each page of a call; a long one is replaced by its hash. */
const repeatable = (id: string): string => (id.length > MAX_ID ? sha256(id) : id)

const MAX_ID = 256
/** Google takes twenty. */
const MAX_URLS = 100

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
