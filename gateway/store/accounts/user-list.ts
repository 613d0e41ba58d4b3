import { sql } from 'kysely'
import type { UserSort } from '../../../shared/api/user-admin.ts'
import { role as roles, userStatus } from '../../../shared/enums.ts'
import { contains } from '../match.ts'
import { type PageRange, sortOf } from '../page.ts'
import type { UserRow } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

/** Empty strings match everything. */
export type UserFilter = Readonly<{
  /** Matches part of the username, display name or email address, or the whole id. */
  keyword: string
  group: string
  role: '' | 'user' | 'admin' | 'root'
  status: '' | 'active' | 'banned' | 'deactivated'
  /** Empty for the newest first. */
  sort?: UserSort
  /** Email addresses are searched only for accounts with a role below `below` and for the account `id`. */
  mailOf: Readonly<{ below: number; id: number }>
}>

/** Lists accounts, including deactivated ones (docs/reference/accounts.md#managing-accounts). */
export const userList = (db: Db) => ({
  async page(filter: UserFilter, { offset, limit }: PageRange): Promise<{ rows: UserRow[]; total: number }> {
    const fitting = () => fittingRows(db, filter)
    const { total } = await fitting()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const { column, direction } = sortOf(filter.sort) ?? ({ column: 'id', direction: 'desc' } as const)
    const by = column === 'username' ? sql`lower(username)` : sql.ref(column)
    const rows = await fitting()
      .selectAll()
      .orderBy(by, direction)
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute()
    return { rows, total: Number(total) }
  },
  /** When these accounts last used a token or the console, in unix seconds; those that never did are missing. */
  async lastActive(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (ids.length === 0) return new Map()
    const uses = db
      .selectFrom('tokens')
      .where('user_id', 'in', ids)
      .select(({ fn }) => ['user_id', fn.max<number>('accessed_time').as('at')])
      .groupBy('user_id')
    const visits = db
      .selectFrom('sessions')
      .where('user_id', 'in', ids)
      .select(({ fn, ref }) => [ref('user_id').$notNull().as('user_id'), fn.max<number>('last_seen_at').as('at')])
      .groupBy('user_id')
    const last = new Map<number, number>()
    for (const { user_id: id, at } of await uses.unionAll(visits).execute())
      last.set(Number(id), Math.max(last.get(Number(id)) ?? 0, Number(at)))
    return last
  },
})

function fittingRows(db: Db, { keyword, group, role, status, mailOf }: UserFilter) {
  const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : undefined
  return db
    .selectFrom('users')
    .$if(group !== '', (rows) => rows.where('group', '=', group))
    .$if(role !== '', (rows) => rows.where('role', '=', role === '' ? 0 : roles[role]))
    .$if(status !== '', (rows) => rows.where('deleted_at', status === 'deactivated' ? 'is not' : 'is', null))
    .$if(status === 'active', (rows) => rows.where('status', '=', userStatus.active))
    .$if(status === 'banned', (rows) => rows.where('status', '!=', userStatus.active))
    .$if(keyword !== '', (rows) =>
      rows.where(({ eb, or, and, ref }) =>
        or([
          ...(id === undefined ? [] : [eb('id', '=', id)]),
          contains(ref('username'), keyword),
          contains(ref('display_name'), keyword),
          and([contains(ref('email'), keyword), or([eb('role', '<', mailOf.below), eb('id', '=', mailOf.id)])]),
        ]),
      ),
    )
}
