import { sql } from 'kysely'
import type { SessionRow } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

/** Length of the hash prefix that identifies a session. */
export const SESSION_ID = 16

/** The `sessions` table (docs/reference/accounts.md#sessions); times are unix seconds. */
export const sessionStore = (db: Db) => ({
  add: (session: Omit<SessionRow, 'data'> & Partial<Pick<SessionRow, 'data'>>) =>
    db.insertInto('sessions').values(session).execute(),

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

  /** Returns at most 100 unexpired sessions, the most recently used first. */
  livingOf: (userId: number, now: number): Promise<SessionRow[]> =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .where('expires_at', '>', now)
      .orderBy('last_seen_at', 'desc')
      .limit(100)
      .execute(),

  async removeById(userId: number, id: string): Promise<void> {
    const own = db.deleteFrom('sessions').where('user_id', '=', userId)
    await own.where(sql<string>`substr(id_hash, 1, ${sql.lit(SESSION_ID)})`, '=', id).execute()
  },

  async removeOthers(userId: number, currentHash: string): Promise<void> {
    await db.deleteFrom('sessions').where('user_id', '=', userId).where('id_hash', '<>', currentHash).execute()
  },

  /** Deletes at most `limit` expired sessions, the oldest first; returns how many. */
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

  /** Returns whether the user has an unexpired session that was created from this address. */
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
