import { type ManagedUser, userAdmin } from '../../../shared/api/user-admin.ts'
import { send } from '../../api/client.ts'
import { type Page, type PageQuery, type PageRows, type Place, usePageAt } from '../../api/use-page.ts'
import { isFiltered, type UserFilter } from './user-address.ts'

/** All accounts, or those that a filter leaves, page by page (docs/reference/accounts.md#managing-accounts). */
export const useUsers = (filter: UserFilter, place: Place): Page<ManagedUser> =>
  usePageAt(userAdmin.list, { filter, place }, cutUsers)

async function cutUsers({ filter, index, size, manner }: PageQuery<UserFilter>): Promise<PageRows<ManagedUser>> {
  const part = { p: index + 1, page_size: size }
  const { items, total } = isFiltered(filter)
    ? await send(userAdmin.search, { query: { ...filter, ...part } }, manner)
    : await send(userAdmin.list, { query: part }, manner)
  return { rows: items, total }
}
