import type { KeptBodiesRow } from '../schema/schema-bodies.ts'
import type { Db } from '../sqlite/database.ts'
import { ownerAfter } from './stored-responses.ts'

export type KeptSum = Readonly<{ calls: number; bytes: number }>

/** The `kept_bodies` table: encrypted bodies of calls by request id. */
export const keptBodyStore = (db: Db) => ({
  /** Returns the bodies of a call made after `since` (unix seconds). */
  one: (requestId: string, since: number): Promise<KeptBodiesRow | undefined> =>
    db
      .selectFrom('kept_bodies')
      .selectAll()
      .where('request_id', '=', requestId)
      .where('created_at', '>', since)
      .executeTakeFirst(),

  async add(row: KeptBodiesRow): Promise<void> {
    await db
      .insertInto('kept_bodies')
      .values(row)
      .onConflict((conflict) => conflict.column('request_id').doNothing())
      .execute()
  },

  /** Reads only an index. */
  async sum(): Promise<KeptSum> {
    const { calls, bytes } = await db
      .selectFrom('kept_bodies')
      .select(({ fn }) => [fn.countAll<number>().as('calls'), fn.sum<number | null>('bytes').as('bytes')])
      .executeTakeFirstOrThrow()
    return { calls: Number(calls), bytes: Number(bytes ?? 0) }
  },

  /** Returns the bytes freed, or undefined if the row does not exist. */
  async remove(requestId: string): Promise<number | undefined> {
    const removed = await db
      .deleteFrom('kept_bodies')
      .where('request_id', '=', requestId)
      .returning('bytes')
      .executeTakeFirst()
    return removed?.bytes
  },

  /** Deletes at most `limit` rows created at or before `until`, the oldest first; returns how many. */
  async removeOld(until: number, limit: number): Promise<number> {
    const oldest = db
      .selectFrom('kept_bodies')
      .select('request_id')
      .where('created_at', '<=', until)
      .orderBy('created_at')
      .limit(limit)
    const { numDeletedRows } = await db
      .deleteFrom('kept_bodies')
      .where('request_id', 'in', oldest)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },

  removeBytes: (bytes: number, limit: number) => removeBytes(db, bytes, limit),

  ownerAfter: (after: number) => ownerAfter(db, 'kept_bodies', after),

  /** Returns how many rows were deleted. */
  async removeOf(userId: number, limit: number): Promise<number> {
    const some = db.selectFrom('kept_bodies').select('request_id').where('user_id', '=', userId).limit(limit)
    const { numDeletedRows } = await db
      .deleteFrom('kept_bodies')
      .where('request_id', 'in', some)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
})

/**
 * Deletes the oldest rows, at most `limit`, until `bytes` are freed; returns how many were deleted and the bytes freed.
 */
async function removeBytes(db: Db, bytes: number, limit: number): Promise<KeptSum> {
  const oldest = await db
    .selectFrom('kept_bodies')
    .select(['request_id', 'bytes'])
    .orderBy('created_at')
    .limit(limit)
    .execute()
  let freed = 0
  const ids: string[] = []
  for (const row of oldest) {
    if (freed >= bytes) break
    freed += row.bytes
    ids.push(row.request_id)
  }
  if (ids.length > 0) await db.deleteFrom('kept_bodies').where('request_id', 'in', ids).execute()
  return { calls: ids.length, bytes: freed }
}
