import { isObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { ExtraPart, Part, TextPart } from '../conversation.ts'
import type { Format } from '../format.ts'
import { sealed } from '../signature.ts'
import { searchWords, type VendorSearch } from '../vendor-search.ts'
import { cacheIn } from './cache-mark.ts'

/** How the ids of searches begin that another vendor ran: Anthropic must not be sent them, since it has sealed none of them. */
export const FOREIGN_USE = 'srvtoolu_switchyard_'

/** The index of a citation that another vendor made, which Anthropic has sealed as little. */
export const FOREIGN_INDEX = 'switchyard:index'

/** Blocks of a search by their types: what was asked for, and what came of it. */
const RESULTS: ReadonlySet<unknown> = new Set(['web_search_tool_result', 'web_fetch_tool_result'])

/** Whether a block is what came of a search, or of a page that was fetched. */
export const isSearchResult = ({ type }: Json): boolean => RESULTS.has(type)

/** Whether a block begins a search of the vendor's, or fetches a page. */
export const isSearchUse = ({ type, name }: Json): boolean =>
  type === 'server_tool_use' && (name === 'web_search' || name === 'web_fetch')

/** A search by its two blocks (Anthropic's "Web search tool" and "Web fetch tool"); the second may be missing. */
export function searchIn(use: Json, result: Json | undefined): VendorSearch {
  const { query, queries, url, pattern } = objectIn(use.input)
  const content = result?.content
  const isFailed = isObject(content) && typeof content.error_code === 'string' ? { isFailed: true as const } : {}
  const id = textIn(use.id) ?? ''
  if (use.name === 'web_fetch') {
    const page = textIn(url) ?? textIn(objectIn(content).url)
    const looked = textIn(pattern)
    const of = { id, queries: [], pages: [], url: page, ...isFailed }
    return looked === undefined ? { ...of, action: 'open' } : { ...of, action: 'find', pattern: looked }
  }
  const several = Array.isArray(queries) ? queries.filter((each) => typeof each === 'string') : []
  const one = textIn(query)
  const pages = objectsIn(content).flatMap((each) =>
    typeof each.url === 'string' ? [{ url: each.url, title: textIn(each.title) ?? '' }] : [],
  )
  return {
    id,
    action: 'search',
    queries: several.length > 0 || one === undefined ? several : [one],
    pages,
    ...isFailed,
  }
}

/**
 * A search that another vendor ran as its two blocks. What they hold under this gateway's seal tells them from Anthropic's
 * own when a client sends them back. A page that was opened is one without its text, which nobody told.
 */
export function searchOut(search: VendorSearch, by: Format): Readonly<{ use: Json; result: Json }> {
  const id = FOREIGN_USE + search.id.replace(/[^a-zA-Z0-9_]/g, '_')
  const name = search.action === 'search' ? 'web_search' : 'web_fetch'
  return {
    use: { type: 'server_tool_use', id, name, input: inputOut(search) },
    result: { type: `${name}_tool_result`, tool_use_id: id, content: resultOut(search, by) },
  }
}

function inputOut({ action, queries, url, pattern }: VendorSearch): Json {
  if (action !== 'search') return { url: url ?? '', ...(pattern === undefined ? {} : { pattern }) }
  return { query: queries[0] ?? '', ...(queries.length > 1 ? { queries } : {}) }
}

function resultOut({ action, url, pages, isFailed }: VendorSearch, by: Format): unknown {
  const name = action === 'search' ? 'web_search' : 'web_fetch'
  if (isFailed) return { type: `${name}_tool_result_error`, error_code: 'unavailable' }
  if (action === 'search')
    return pages.map((page) => ({
      type: 'web_search_result',
      url: page.url,
      title: page.title === '' ? page.url : page.title,
      encrypted_content: sealed({ by, value: '', id: 'page' }, 'anthropic'),
      page_age: null,
    }))
  const source = { type: 'text', media_type: 'text/plain', data: '' }
  const content = { type: 'document', source, title: null, citations: null }
  return { type: 'web_fetch_result', url: url ?? '', content, retrieved_at: null }
}

/**
 * A message's parts with its searches as words, which stand where what came of them stood; the vendor's own go back to it as
 * the blocks they were.
 */
export function withSearches(parts: readonly Part[]): readonly Part[] {
  if (!parts.some(isUse)) return parts
  const uses = new Map(parts.filter(isUse).map((part) => [part.value.id, part.value]))
  const results = new Set(parts.filter(isResult).map(({ value }) => value.tool_use_id))
  return parts.flatMap((part): readonly Part[] => {
    if (isUse(part)) return results.has(part.value.id) ? [] : [told(part.value, undefined)]
    const use = isResult(part) ? uses.get(part.value.tool_use_id) : undefined
    return isResult(part) && use ? [told(use, part.value)] : [part]
  })
}

function told(use: Json, result: Json | undefined): TextPart {
  const search = searchIn(use, result)
  const text = searchWords(search)
  if (!search.id.startsWith(FOREIGN_USE)) {
    const blocks = result ? [use, result] : [use]
    const original = { of: 'anthropic', value: blocks } as const
    return { type: 'text', text, search: { by: 'anthropic', search }, original, ...cacheIn(result ?? use) }
  }
  const id = search.id.slice(FOREIGN_USE.length)
  const by = OPENAIS.test(id) ? 'responses' : 'gemini'
  return { type: 'text', text, search: { by, search: { ...search, id } }, ...cacheIn(result ?? use) }
}

/** How OpenAI calls its searches, which it takes back; Google takes back none. */
const OPENAIS = /^ws_/

type BlockPart = ExtraPart & Readonly<{ value: Json }>

const isUse = (part: Part): part is BlockPart =>
  part.type === 'extra' && part.of === 'anthropic' && isObject(part.value) && isSearchUse(part.value)

const isResult = (part: Part): part is BlockPart =>
  part.type === 'extra' && part.of === 'anthropic' && isObject(part.value) && isSearchResult(part.value)
