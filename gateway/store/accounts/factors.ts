import type { Db } from '../sqlite/database.ts'

/** The tables of second factors; the secret is encrypted (docs/reference/accounts.md#two-factors). */
export const factorStore = (db: Db) => ({
  authenticator: (userId: number) =>
    db.selectFrom('authenticators').selectAll().where('user_id', '=', userId).executeTakeFirst(),

  /**
   * Stores an unconfirmed authenticator app, replacing another unconfirmed one; returns false if one is already
   * confirmed.
   */
  async propose(userId: number, secret: string, at: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('authenticators')
      .values({ user_id: userId, secret, created_at: at, confirmed_at: null })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ secret, created_at: at, last_step: 0 })
          .where('authenticators.confirmed_at', 'is', null),
      )
      .executeTakeFirstOrThrow()
    return Number(numInsertedOrUpdatedRows) === 1
  },

  /**
   * Records the time step of a code; returns false if it is not later than the last one. With `at`, confirms the app,
   * and returns false if it is confirmed already; without it, returns false if the app is not confirmed.
   */
  async take(userId: number, step: number, at?: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('authenticators')
      .set({ last_step: step, ...(at !== undefined && { confirmed_at: at }) })
      .where('user_id', '=', userId)
      .where('last_step', '<', step)
      .where('confirmed_at', at === undefined ? 'is not' : 'is', null)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  /** Deletes the app and the recovery codes; returns whether there was an app. */
  async remove(userId: number): Promise<boolean> {
    await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    const { numDeletedRows } = await db
      .deleteFrom('authenticators')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows) > 0
  },

  async replaceCodes(userId: number, hashes: readonly string[]): Promise<void> {
    await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    const rows = hashes.map((code_hash) => ({ code_hash, user_id: userId }))
    await db.insertInto('recovery_codes').values(rows).execute()
  },

  async codesLeft(userId: number): Promise<number> {
    const { left } = await db
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(left)
  },

  async takeCode(userId: number, hash: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('recovery_codes')
      .where('code_hash', '=', hash)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows) === 1
  },
})
