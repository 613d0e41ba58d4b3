import type { Db } from './database.ts'
import type { SessionRow } from './schema.ts'

/** The `sessions` table (docs/reference/accounts.md#sessions); times are unix seconds. */
export const sessionStore = (db: Db) => ({
  add: (session: Omit<SessionRow, 'data'>) => db.insertInto('sessions').values(session).execute(),

  byHash: (hash: string): Promise<SessionRow | undefined> =>
    db.selectFrom('sessions').selectAll().where('id_hash', '=', hash).executeTakeFirst(),

  touch: (hash: string, seenAt: number, expiresAt: number) =>
    db
      .updateTable('sessions')
      .set({ last_seen_at: seenAt, expires_at: expiresAt })
      .where('id_hash', '=', hash)
      .execute(),

  remove: (hash: string) => db.deleteFrom('sessions').where('id_hash', '=', hash).execute(),

  removeOf: (userId: number) => db.deleteFrom('sessions').where('user_id', '=', userId).execute(),

  /** Removes at most `limit` sessions that have ended, the oldest first; answers how many. */
  async removeExpired(now: number, limit: number): Promise<number> {
    const ended = db
      .selectFrom('sessions')
      .select('id_hash')
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
    const { numDeletedRows } = await db.deleteFrom('sessions').where('id_hash', 'in', ended).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },

  /** Whether the user has a session that began at this address and still lives. */
  async knows(userId: number, ip: string, now: number): Promise<boolean> {
    const row = await db
      .selectFrom('sessions')
      .select('id_hash')
      .where('user_id', '=', userId)
      .where('ip', '=', ip)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row !== undefined
  },
})
