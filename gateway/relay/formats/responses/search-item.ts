import { type JsonObject, objectIn, objectsIn, own, present, textIn } from '../../../base/json/json.ts'
import type { TextPart } from '../conversation.ts'
import { searchWords, type VendorSearch } from '../vendor-search.ts'

export const SEARCH_CALL = 'web_search_call'

/** The value of `include` that requests search results. */
export const SOURCES = 'web_search_call.action.sources'

const actions: Readonly<Record<string, VendorSearch['action']>> = {
  search: 'search',
  open_page: 'open',
  find_in_page: 'find',
  // Name of `find_in_page` in the API's first version.
  find: 'find',
}

/** Reads a search item (OpenAI's guide "Web search", output). Sources without a title get an empty one. */
export function searchIn(item: JsonObject): VendorSearch {
  const action = objectIn(item.action)
  const { query, queries } = action
  const several = Array.isArray(queries) ? queries.filter((each) => typeof each === 'string') : []
  const one = textIn(query)
  const url = textIn(action.url)
  const pattern = textIn(action.pattern)
  return {
    id: textIn(item.id) ?? '',
    action: own(actions, textIn(action.type) ?? 'search') ?? 'search',
    queries: several.length > 0 || one === undefined ? several : [one],
    pages: objectsIn(action.sources).flatMap((each) =>
      typeof each.url === 'string' ? [{ url: each.url, title: textIn(each.title) ?? '' }] : [],
    ),
    ...(url === undefined ? {} : { url }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(item.status === 'failed' ? { isFailed: true } : {}),
  }
}

function actionOut({ action, queries, url, pattern, pages }: VendorSearch): JsonObject {
  if (action === 'open') return { type: 'open_page', url: url ?? null }
  if (action === 'find') return { type: 'find_in_page', url: url ?? '', pattern: pattern ?? '' }
  return present({
    type: 'search',
    query: queries[0] ?? '',
    queries: queries.length > 1 ? queries : undefined,
    sources: pages.length > 0 ? pages.map((page) => ({ type: 'url', url: page.url })) : undefined,
  })
}

/** Writes a search as an item: the vendor's own, restored from another dialect, or another vendor's. */
export const searchItem = (search: VendorSearch): JsonObject => ({
  type: SEARCH_CALL,
  ...(search.id === '' ? {} : { id: search.id }),
  status: search.isFailed ? 'failed' : 'completed',
  action: actionOut(search),
})

export function earlierSearch(item: JsonObject): TextPart | undefined {
  if (item.type !== SEARCH_CALL) return undefined
  const search = searchIn(item)
  const original = { of: 'responses', value: item } as const
  return { type: 'text', text: searchWords(search), search: { by: 'responses', search }, original }
}
