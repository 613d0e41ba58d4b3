import type { Db } from '../sqlite/database.ts'

type SignInRow = Readonly<{
  user_id: number
  created_at: number
  way: string
  succeeded: number
  ip: string
  user_agent: string
}>

/** Max rows per account of successful logins, and of failed ones. */
const MAX_PER_OUTCOME = 50

/** The `sign_ins` table (docs/reference/accounts.md#sessions). */
export const signInStore = (db: Db) => ({
  async add(row: SignInRow): Promise<number> {
    const { id } = await db.insertInto('sign_ins').values(row).returning('id').executeTakeFirstOrThrow()
    const newest = db
      .selectFrom('sign_ins')
      .select('id')
      .where('user_id', '=', row.user_id)
      .where('succeeded', '=', row.succeeded)
      .orderBy('id', 'desc')
      .limit(MAX_PER_OUTCOME)
    await db
      .deleteFrom('sign_ins')
      .where('user_id', '=', row.user_id)
      .where('succeeded', '=', row.succeeded)
      .where('id', 'not in', newest)
      .execute()
    return Number(id)
  },

  /** Marks an attempt as successful; returns false if its row was already deleted. */
  async succeed(id: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('sign_ins')
      .set({ succeeded: 1 })
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  newest: (userId: number) =>
    db
      .selectFrom('sign_ins')
      .select(['created_at', 'way', 'succeeded', 'ip', 'user_agent'])
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .limit(2 * MAX_PER_OUTCOME)
      .execute(),

  async loginMethodsOf(userId: number): Promise<ReadonlySet<string>> {
    const rows = await db
      .selectFrom('sign_ins')
      .select('way')
      .distinct()
      .where('user_id', '=', userId)
      .where('succeeded', '=', 1)
      .execute()
    return new Set(rows.map(({ way }) => way))
  },

  removeOf: (userId: number) => db.deleteFrom('sign_ins').where('user_id', '=', userId).execute(),
})
