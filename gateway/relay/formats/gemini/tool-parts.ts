import { sha256 } from '../../../base/ids.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import type { VendorSearch } from '../vendor-search.ts'
import { messageIn } from './message.ts'

/** The part members for the vendor's own tools used in addition to functions. */
const OWN_TOOLS = ['toolCall', 'toolResponse'] as const

/** Returns which of these members a part has; undefined if none (docs/reference/conversion.md#non-function-tools). */
export const ownToolOf = (part: JsonObject): (typeof OWN_TOOLS)[number] | undefined =>
  OWN_TOOLS.find((name) => part[name] !== undefined)

/** Returns the web activity of a `toolCall` (Gemini API, "ToolCall"); none for other tools and for results. */
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

/** Replaces a long id with its hash, since each page of a call repeats the id. */
const repeatable = (id: string): string => (id.length > MAX_ID ? sha256(id) : id)

const MAX_ID = 256
/** Max addresses that are read; Google accepts twenty. */
const MAX_URLS = 100

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
