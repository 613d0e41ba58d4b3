import type { Db } from './database.ts'
import type { StoredResponseRow } from './schema.ts'

/** Ids in one statement. */
const MOST_AT_ONCE = 500

/** The `stored_responses` table: answers of `/v1/responses` by their ids, each of one account. */
export const storedResponseStore = (db: Db) => ({
  /** The account's own response of after `since` (unix seconds). */
  one: (userId: number, id: string, since: number): Promise<StoredResponseRow | undefined> =>
    db
      .selectFrom('stored_responses')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('created_at', '>', since)
      .executeTakeFirst(),

  /** Adds rows; an id that is there stays whose it is. */
  async add(rows: readonly StoredResponseRow[]): Promise<void> {
    if (rows.length === 0) return
    await db
      .insertInto('stored_responses')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  },

  /** From now on the account's responses count as of `now`. */
  async prolong(userId: number, ids: readonly string[], now: number): Promise<void> {
    for (let at = 0; at < ids.length; at += MOST_AT_ONCE)
      await db
        .updateTable('stored_responses')
        .set({ created_at: now })
        .where('user_id', '=', userId)
        .where('id', 'in', ids.slice(at, at + MOST_AT_ONCE))
        .execute()
  },

  remove: (userId: number, id: string) =>
    db.deleteFrom('stored_responses').where('id', '=', id).where('user_id', '=', userId).execute(),

  /** Removes what is not of after `since`, and what belongs to accounts that are gone. */
  sweep: (since: number) =>
    db
      .deleteFrom('stored_responses')
      .where(({ eb, or, not, exists, selectFrom }) =>
        or([
          eb('created_at', '<=', since),
          not(
            exists(
              selectFrom('users')
                .select('users.id')
                .whereRef('users.id', '=', 'stored_responses.user_id')
                .where('users.deleted_at', 'is', null),
            ),
          ),
        ]),
      )
      .execute(),
})
