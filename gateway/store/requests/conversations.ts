import { type SelectQueryBuilder, sql } from 'kysely'
import { countWithin } from '../../base/row-steps.ts'
import { isOwn, type RowOwner } from '../row-owner.ts'
import type { ConversationRow, Schema } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'
import { MAX_DELETED_BYTES, ownerAfter } from './stored-responses.ts'

const MAX_DELETED_PARTS = 8

/** The `conversations` table. Each belongs to one account and is deleted with its items. */
export const conversationStore = (db: Db) => ({
  async add(row: Pick<ConversationRow, 'id' | 'user_id' | 'token_id' | 'metadata' | 'created_at'>): Promise<void> {
    await db
      .insertInto('conversations')
      .values({ ...row, used_at: row.created_at, size: row.metadata.length })
      .execute()
  },

  /** Returns the owner's conversation if it was used after `since` (unix seconds). */
  one: (owner: RowOwner, id: string, since: number): Promise<ConversationRow | undefined> =>
    db
      .selectFrom('conversations')
      .selectAll()
      .where('id', '=', id)
      .where(isOwn(owner))
      .where('used_at', '>', since)
      .executeTakeFirst(),

  /** The number and the total size of an account's conversations that were used after `since` (unix seconds). */
  async totals(userId: number, since: number): Promise<Readonly<{ count: number; size: number }>> {
    const { count, size } = await db
      .selectFrom('conversations')
      .select(({ fn }) => [fn.countAll().as('count'), fn.sum('size').as('size')])
      .where('user_id', '=', userId)
      .where('used_at', '>', since)
      .executeTakeFirstOrThrow()
    return { count: Number(count), size: Number(size) }
  },

  async setMetadata(owner: RowOwner, id: string, metadata: string): Promise<void> {
    await db
      .updateTable('conversations')
      .set({ metadata, size: sql`size - octet_length(metadata) + ${metadata.length}` })
      .where('id', '=', id)
      .where(isOwn(owner))
      .execute()
  },

  /** Marks a conversation as expired, so it is never found again; returns false if the owner has none with this id. */
  async close(owner: RowOwner, id: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('conversations')
      .set({ used_at: 0 })
      .where('id', '=', id)
      .where(isOwn(owner))
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  removeOne: (id: string, limit: number): Promise<number> =>
    removed(db, db.selectFrom('conversations').select('id').where('id', '=', id), limit),

  /**
   * Deletes some rows of conversations last used at or before `since`, at most `limit` and about 8 MiB: first their
   * items, then the conversations. Returns how many.
   */
  removeOld: (since: number, limit: number): Promise<number> =>
    removed(db, db.selectFrom('conversations').select('id').where('used_at', '<=', since), limit),

  ownerAfter: (after: number) => ownerAfter(db, 'conversations', after),

  removeOf: (userId: number, limit: number): Promise<number> =>
    removed(db, db.selectFrom('conversations').select('id').where('user_id', '=', userId), limit),
})

type Ids = SelectQueryBuilder<Schema, 'conversations', Readonly<{ id: string }>>

async function removed(db: Db, conversations: Ids, limit: number): Promise<number> {
  const parts = db
    .selectFrom('conversation_parts')
    .select(['conversation_id', 'position', 'part'])
    .where('conversation_id', 'in', conversations)
    .limit(Math.min(limit, MAX_DELETED_PARTS))
  const deletedParts = await db
    .deleteFrom('conversation_parts')
    .where(({ eb, refTuple }) =>
      eb(refTuple('conversation_id', 'position', 'part'), 'in', parts.$asTuple('conversation_id', 'position', 'part')),
    )
    .executeTakeFirstOrThrow()
  if (deletedParts.numDeletedRows > 0n) return Number(deletedParts.numDeletedRows)
  const items = await db
    .selectFrom('conversation_items')
    .select(['conversation_id', 'position', sql<number>`octet_length(content)`.as('bytes')])
    .where('conversation_id', 'in', conversations)
    .orderBy('conversation_id')
    .orderBy('position')
    .limit(limit)
    .execute()
  const last = items[countWithin(items, MAX_DELETED_BYTES) - 1]
  if (last) {
    const { numDeletedRows } = await db
      .deleteFrom('conversation_items')
      .where('conversation_id', 'in', conversations)
      .where(sql<boolean>`(conversation_id, position) <= (${last.conversation_id}, ${last.position})`)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  }
  const { numDeletedRows } = await db
    .deleteFrom('conversations')
    .where('id', 'in', conversations.limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
