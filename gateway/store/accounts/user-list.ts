import { role as roles, userStatus } from '../../../shared/enums.ts'
import { contains } from '../match.ts'
import type { PageRange } from '../page.ts'
import type { UserRow } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

/** Empty strings match everything. */
export type UserFilter = Readonly<{
  /** Matches part of the username, display name or email address, or the whole id. */
  keyword: string
  group: string
  role: '' | 'user' | 'admin' | 'root'
  status: '' | 'active' | 'banned' | 'deactivated'
  /** Email addresses are searched only for accounts with a role below `below` and for the account `id`. */
  mailOf: Readonly<{ below: number; id: number }>
}>

/** Lists accounts, the newest first, including deactivated ones (docs/reference/accounts.md#managing-accounts). */
export const userList = (db: Db) => ({
  async page(filter: UserFilter, { offset, limit }: PageRange): Promise<{ rows: UserRow[]; total: number }> {
    const fitting = () => fittingRows(db, filter)
    const { total } = await fitting()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await fitting().selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute()
    return { rows, total: Number(total) }
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
