import { sql } from 'kysely'
import { userStatus } from '../../../shared/enums.ts'
import type { UserRow } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

type ProviderColumn = 'github_id' | 'oidc_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id'

export const userLookups = (db: Db) => ({
  /** Ignores case and includes deactivated users. */
  async isEmailTaken(email: string): Promise<boolean> {
    return (await withEmail(db, email).select('id').executeTakeFirst()) !== undefined
  },

  /** Ignores case. */
  byEmail: (email: string): Promise<UserRow | undefined> =>
    withEmail(db, email).selectAll().where('deleted_at', 'is', null).executeTakeFirst(),

  /** Only active users. */
  byInviteCode: (code: string) =>
    db
      .selectFrom('users')
      .select(['id', 'username'])
      .where('aff_code', '=', code)
      .where('status', '=', userStatus.active)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),

  /** Includes deactivated users, whose binding stays taken. */
  byProvider: (column: ProviderColumn, id: string): Promise<UserRow | undefined> =>
    db.selectFrom('users').selectAll().where(column, '=', id).where(column, '<>', '').executeTakeFirst(),

  /** The highest user id; 0 if there are no users. */
  async lastId(): Promise<number> {
    const { last } = await db
      .selectFrom('users')
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    return Number(last ?? 0)
  },

  /** Returns false if the account already has a code. */
  async setInviteCode(id: number, code: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({ aff_code: code })
      .where('id', '=', id)
      .where('aff_code', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  /** Returns the costliest imported bcrypt hash (as accepted by `isBcrypt`); uses a partial index on these hashes. */
  async costliestForeignPassword(): Promise<string | undefined> {
    const row = await db
      .selectFrom('users')
      .select('password')
      .where(sql<boolean>`password like '$2%'`)
      .where(sql<boolean>`substr(password, 3, 1) in ('a', 'b', 'y') and length(password) = 60`)
      .where(sql<boolean>`substr(password, 5, 2) between '04' and '13'`)
      .orderBy(sql`substr(password, 5, 2)`, 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.password
  },
})

const withEmail = (db: Db, email: string) =>
  db.selectFrom('users').where(sql<string>`lower(email)`, '=', email.toLowerCase()).where('email', '<>', '')
