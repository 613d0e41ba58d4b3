import { shortId } from '../../../base/ids.ts'
import { isObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import { UntrustedMap, UntrustedSet } from '../../../base/untrusted-keys.ts'
import type { Json } from '../codec.ts'
import type { ExtraPart, Part, TextPart } from '../conversation.ts'
import type { Format } from '../format.ts'
import { sealed } from '../signature.ts'
import { searchWords, type VendorSearch } from '../vendor-search.ts'
import { cacheIn } from './cache-mark.ts'

/** Prefix for ids of searches by another vendor. They must not be sent to Anthropic, which did not sign them. */
export const FOREIGN_USE = 'srvtoolu_switchyard_'

/** The index of a citation by another vendor, which Anthropic did not sign either. */
export const FOREIGN_INDEX = 'switchyard:index'

const RESULTS: ReadonlySet<unknown> = new Set(['web_search_tool_result', 'web_fetch_tool_result'])

export const isSearchResult = ({ type }: Json): boolean => RESULTS.has(type)

export const isSearchUse = ({ type, name }: Json): boolean =>
  type === 'server_tool_use' && (name === 'web_search' || name === 'web_fetch')

/**
 * Reads a search from its two blocks (Anthropic's "Web search tool" and "Web fetch tool"); the second may be missing.
 */
export function searchIn(use: Json, result: Json | undefined): VendorSearch {
  const { query, queries, url, pattern } = objectIn(use.input)
  const content = result?.content
  const isFailed = isObject(content) && typeof content.error_code === 'string' ? { isFailed: true as const } : {}
  const id = textIn(use.id) ?? ''
  if (use.name === 'web_fetch') {
    const page = textIn(url) ?? textIn(objectIn(content).url)
    const found = textIn(pattern)
    const of = { id, queries: [], pages: [], url: page, ...isFailed }
    return found === undefined ? { ...of, action: 'open' } : { ...of, action: 'find', pattern: found }
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
 * Writes another vendor's search as two blocks, with this gateway's seal to distinguish them from Anthropic's own when
 * a client returns them. The text of an opened page is unknown and left empty.
 */
export function searchOut(search: VendorSearch, by: Format): Readonly<{ use: Json; result: Json }> {
  const id = FOREIGN_USE + shortId(search.id).replace(/[^a-zA-Z0-9_]/g, '_')
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
 * Converts each search, together with its result if it has one, to a text; a further result of the same search stays as
 * it is.
 */
export function withSearches(parts: readonly Part[]): readonly Part[] {
  if (!parts.some(isUse)) return parts
  const uses = new UntrustedMap(parts.filter(isUse).map((part) => [part.value.id, part.value]))
  const results = new UntrustedSet(parts.filter(isResult).map(({ value }) => value.tool_use_id))
  return parts.flatMap((part): readonly Part[] => {
    if (isUse(part)) return results.has(part.value.id) ? [] : [textOf(part.value, undefined)]
    const use = isResult(part) ? uses.get(part.value.tool_use_id) : undefined
    if (!isResult(part) || !use) return [part]
    uses.delete(part.value.tool_use_id)
    return [textOf(use, part.value)]
  })
}

function textOf(use: Json, result: Json | undefined): TextPart {
  const search = searchIn(use, result)
  const text = searchWords(search)
  if (!search.id.startsWith(FOREIGN_USE)) {
    const blocks = result ? [use, result] : [use]
    const original = { of: 'anthropic', value: blocks } as const
    return { type: 'text', text, search: { by: 'anthropic', search }, original, ...cacheIn(result ?? use) }
  }
  const id = search.id.slice(FOREIGN_USE.length)
  const by = OPENAI_ID.test(id) ? 'responses' : 'gemini'
  return { type: 'text', text, search: { by, search: { ...search, id } }, ...cacheIn(result ?? use) }
}

/** Matches ids of OpenAI's searches, which OpenAI accepts back; Google accepts no ids. */
const OPENAI_ID = /^ws_/

type BlockPart = ExtraPart & Readonly<{ value: Json }>

const isUse = (part: Part): part is BlockPart =>
  part.type === 'extra' && part.of === 'anthropic' && isObject(part.value) && isSearchUse(part.value)

const isResult = (part: Part): part is BlockPart =>
  part.type === 'extra' && part.of === 'anthropic' && isObject(part.value) && isSearchResult(part.value)
