import type { KeptBodiesRow } from '../schema/schema-bodies.ts'
import type { Db } from '../sqlite/database.ts'
import { MAX_DELETED_BYTES, ownerAfter } from './stored-responses.ts'

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

  /** Deletes some rows created at or before `until`, at most `limit` and about 8 MiB; returns how many. */
  async removeOld(until: number, limit: number): Promise<number> {
    const oldest = sizesIn(db).where('created_at', '<=', until).orderBy('created_at').limit(limit)
    return (await removed(db, await oldest.execute(), MAX_DELETED_BYTES)).calls
  },

  removeBytes: (bytes: number, limit: number) => removeBytes(db, bytes, limit),

  ownerAfter: (after: number) => ownerAfter(db, 'kept_bodies', after),

  /** Like `removeOld`, for rows of an account, regardless of their age. */
  async removeOf(userId: number, limit: number): Promise<number> {
    const some = sizesIn(db).where('user_id', '=', userId).limit(limit)
    return (await removed(db, await some.execute(), MAX_DELETED_BYTES)).calls
  },
})

const sizesIn = (db: Db) => db.selectFrom('kept_bodies').select(['request_id', 'bytes'])

/** Deletes the oldest rows, at most `limit`, until `bytes` or about 8 MiB are freed. */
async function removeBytes(db: Db, bytes: number, limit: number) {
  const oldest = await sizesIn(db).orderBy('created_at').limit(limit).execute()
  return removed(db, oldest, Math.min(bytes, MAX_DELETED_BYTES))
}

/** Deletes the first of these rows until `bytes` are freed. */
async function removed(
  db: Db,
  rows: readonly Readonly<{ request_id: string; bytes: number }>[],
  bytes: number,
): Promise<KeptSum> {
  let freed = 0
  const ids: string[] = []
  for (const row of rows) {
    if (freed >= bytes) break
    freed += row.bytes
    ids.push(row.request_id)
  }
  if (ids.length > 0) await db.deleteFrom('kept_bodies').where('request_id', 'in', ids).execute()
  return { calls: ids.length, bytes: freed }
}
