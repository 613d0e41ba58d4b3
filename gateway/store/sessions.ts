import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { SessionRow } from './schema.ts'

/** How many characters of its hash a session is called by. */
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

  /** Those that still live, the last used first; at most a hundred. */
  livingOf: (userId: number, now: number): Promise<SessionRow[]> =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .where('expires_at', '>', now)
      .orderBy('last_seen_at', 'desc')
      .limit(100)
      .execute(),

  /** Removes the session of a user whose hash begins with this id. */
  async removeById(userId: number, id: string): Promise<void> {
    const own = db.deleteFrom('sessions').where('user_id', '=', userId)
    await own.where(sql<string>`substr(id_hash, 1, ${sql.lit(SESSION_ID)})`, '=', id).execute()
  },

  async removeOthers(userId: number, keptHash: string): Promise<void> {
    await db.deleteFrom('sessions').where('user_id', '=', userId).where('id_hash', '<>', keptHash).execute()
  },

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
