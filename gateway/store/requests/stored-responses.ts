import { sql } from 'kysely'
import { countWithin } from '../../base/row-steps.ts'
import { isOwn, type RowOwner } from '../row-owner.ts'
import type { StoredResponseRow } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

/** Ids per statement. */
const MAX_AT_ONCE = 500
/** Max bytes deleted at once: the time to delete a row is proportional to its size. */
export const MAX_DELETED_BYTES = 8 * 1024 * 1024

/** The `stored_responses` table: responses of `/v1/responses` by id, each belonging to one owner. */
export const storedResponseStore = (db: Db) => ({
  /** Returns the owner's response if it was created after `since` (unix seconds). */
  one: (owner: RowOwner, id: string, since: number): Promise<StoredResponseRow | undefined> =>
    db
      .selectFrom('stored_responses')
      .selectAll()
      .where('id', '=', id)
      .where(isOwn(owner))
      .where('created_at', '>', since)
      .executeTakeFirst(),

  /** Adds rows; an existing id keeps its row and owner. */
  async add(rows: readonly StoredResponseRow[]): Promise<void> {
    if (rows.length === 0) return
    await db
      .insertInto('stored_responses')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  },

  /** Resets the age of the owner's responses: sets their creation time to `now`. */
  async prolong(owner: RowOwner, ids: readonly string[], now: number): Promise<void> {
    for (let at = 0; at < ids.length; at += MAX_AT_ONCE)
      await db
        .updateTable('stored_responses')
        .set({ created_at: now })
        .where(isOwn(owner))
        .where('id', 'in', ids.slice(at, at + MAX_AT_ONCE))
        .execute()
  },

  remove: (owner: RowOwner, id: string) =>
    db.deleteFrom('stored_responses').where('id', '=', id).where(isOwn(owner)).execute(),

  /** Deletes some responses created at or before `since`, at most `limit` and about 8 MiB; returns how many. */
  removeOld: (since: number, limit: number): Promise<number> =>
    removed(db, sizesIn(db).where('created_at', '<=', since).orderBy('created_at').limit(limit)),

  ownerAfter: (after: number) => ownerAfter(db, 'stored_responses', after),

  removeOf: (userId: number, limit: number): Promise<number> =>
    removed(db, sizesIn(db).where('user_id', '=', userId).limit(limit)),
})

type Sized = Readonly<{ id: string; bytes: number }>

const sizesIn = (db: Db) =>
  db.selectFrom('stored_responses').select(['id', sql<number>`octet_length(content)`.as('bytes')])

/** Deletes the first of these rows, up to `MAX_DELETED_BYTES` together; returns how many. */
async function removed(db: Db, rows: Readonly<{ execute(): Promise<Sized[]> }>): Promise<number> {
  const sizes = await rows.execute()
  const ids = sizes.slice(0, countWithin(sizes, MAX_DELETED_BYTES)).map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('stored_responses').where('id', 'in', ids).execute()
  return ids.length
}

/**
 * Returns the account with the next id above `after` that has rows in a table, and whether that account was deleted.
 */
export async function ownerAfter(
  db: Db,
  table: 'stored_responses' | 'conversations' | 'kept_bodies',
  after: number,
): Promise<Readonly<{ id: number; isGone: boolean }> | undefined> {
  const owner = await db
    .selectFrom(table)
    .select('user_id')
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst()
  if (!owner) return undefined
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', owner.user_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return { id: owner.user_id, isGone: user === undefined }
}
