import { type TokenView, token } from '../../../shared/api/token.ts'
import { send, sendWhole } from '../../api/client.ts'
import { type Page, type PageQuery, type PageRows, usePage } from '../../api/use-page.ts'

/** Parts of a name and of a key to look for; both empty lists all. */
export type TokenFilter = Readonly<{ name: string; key: string }>

/** The filter of a fresh page. */
export const noFilter: TokenFilter = { name: '', key: '' }

/** Whether the filter leaves anything out. */
export const isFiltered = ({ name, key }: TokenFilter): boolean => name !== '' || key !== ''

/** The tokens of who is signed in, page by page. */
export const useTokens = (filter: TokenFilter): Page<TokenView> => usePage(token.list, filter, cutTokens)

/** A search answers its matches, at most 100, at once; they are cut into pages here. */
async function cutTokens({ filter, index, size, manner }: PageQuery<TokenFilter>): Promise<PageRows<TokenView>> {
  if (!isFiltered(filter)) {
    const { data, beside } = await sendWhole(token.list, { query: { p: index, size } }, manner)
    return { rows: data, total: beside.total }
  }
  const found = await send(token.search, { query: { keyword: filter.name, token: filter.key } }, manner)
  return { rows: found.slice(index * size, (index + 1) * size), total: found.length }
}
