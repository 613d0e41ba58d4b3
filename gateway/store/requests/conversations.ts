import { type SelectQueryBuilder, sql } from 'kysely'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { type RowSize, stepsOf } from '../../base/row-steps.ts'
import { isOwn, type RowOwner } from '../row-owner.ts'
import type { ConversationRow, Schema } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'
import { ownerAfter } from './stored-responses.ts'

/** `content` is encrypted. */
type ItemRow = Readonly<{ id: string; content: string }>
/** `size` is what the item adds to its conversation. */
export type NewItem = ItemRow & Readonly<{ size: number }>

/** A range of a conversation's items: those after a position (before it if newest first), at most `limit`. */
type ItemRange = Readonly<{ after?: number | undefined; isNewestFirst: boolean; limit: number }>

/**
 * A conversation to append items to, the current time, and the max sizes of the conversation and of the whole account.
 */
type Growing = Readonly<{
  owner: RowOwner
  id: string
  now: number
  max: Readonly<{ size: number; accountSize: number }>
}>

/** Rows and ids per statement. */
const MAX_AT_ONCE = 500

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

  async totals(userId: number): Promise<Readonly<{ count: number; size: number }>> {
    const { count, size } = await db
      .selectFrom('conversations')
      .select(({ fn }) => [fn.countAll().as('count'), fn.sum('size').as('size')])
      .where('user_id', '=', userId)
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
   * Deletes at most `limit` rows of conversations last used at or before `since`: first their items, then the
   * conversations. Returns how many.
   */
  removeOld: (since: number, limit: number): Promise<number> =>
    removed(db, db.selectFrom('conversations').select('id').where('used_at', '<=', since), limit),

  ownerAfter: (after: number) => ownerAfter(db, 'conversations', after),

  removeOf: (userId: number, limit: number): Promise<number> =>
    removed(db, db.selectFrom('conversations').select('id').where('user_id', '=', userId), limit),
})

export const conversationItemStore = (db: Db) => ({
  /**
   * Appends items and marks the conversation as used at `now`. Skips items whose ids already exist and returns those
   * ids. Returns undefined and changes nothing if the conversation does not exist, or if it or the account would exceed
   * `max`. Many long items take several transactions, between which others run: a process that dies then has stored the
   * first of them.
   */
  async append(conversation: Growing, items: readonly NewItem[]): Promise<ReadonlySet<string> | undefined> {
    const existing = await existingIds(db, conversation.id, items)
    const added = items.filter((item) => !existing.has(item.id))
    const [firstStep = [], ...steps] = stepsOf(
      added.map(({ content }, index) => ({ id: index, bytes: content.length })),
    )
    const reached = await db.transaction().execute(async (transaction) => {
      if (!(await fitsAccount(transaction, conversation, added))) return undefined
      const last = await grown(transaction, conversation, added)
      if (last !== undefined) await insertItems(transaction, conversation.id, rowsOf(added, last, firstStep))
      return last
    })
    if (reached === undefined) return undefined
    for (const step of steps) {
      await yieldToOthers()
      await db.transaction().execute(async (transaction) => {
        if (await isOpen(transaction, conversation.id))
          await insertItems(transaction, conversation.id, rowsOf(added, reached, step))
      })
    }
    return existing
  },

  /** The positions and sizes of a range of items; reads no content. */
  sizes(id: string, { after, isNewestFirst, limit }: ItemRange): Promise<RowSize[]> {
    const all = db
      .selectFrom('conversation_items')
      .select(['position as id', contentBytes])
      .where('conversation_id', '=', id)
      .orderBy('position', isNewestFirst ? 'desc' : 'asc')
      .limit(limit)
    return (after === undefined ? all : all.where('position', isNewestFirst ? '<' : '>', after)).execute()
  },

  /** The position and size of one item; reads no content. */
  size: (id: string, itemId: string): Promise<RowSize | undefined> =>
    db
      .selectFrom('conversation_items')
      .select(['position as id', contentBytes])
      .where('conversation_id', '=', id)
      .where('id', '=', itemId)
      .executeTakeFirst(),

  at: (id: string, positions: readonly number[], isNewestFirst: boolean): Promise<ItemRow[]> =>
    db
      .selectFrom('conversation_items')
      .select(['id', 'content'])
      .where('conversation_id', '=', id)
      .where('position', 'in', positions)
      .orderBy('position', isNewestFirst ? 'desc' : 'asc')
      .execute(),

  /** Deletes an item and subtracts `size` from its conversation. */
  removeItem: (id: string, itemId: string, size: number): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('conversation_items')
        .where('conversation_id', '=', id)
        .where('id', '=', itemId)
        .executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) return
      await transaction
        .updateTable('conversations')
        .set({ size: sql`size - ${size}` })
        .where('id', '=', id)
        .execute()
    }),
})

type PlacedItem = ItemRow & Readonly<{ position: number }>

/** The items at these indexes with their positions; `reached` is the position of the last of all items. */
const rowsOf = (items: readonly NewItem[], reached: number, indexes: readonly number[]): PlacedItem[] =>
  indexes.flatMap((index) => {
    const item = items[index]
    return item ? [{ id: item.id, content: item.content, position: reached - items.length + 1 + index }] : []
  })

async function insertItems(db: Db, conversationId: string, rows: readonly PlacedItem[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('conversation_items')
    .values(rows.map((row) => ({ conversation_id: conversationId, ...row })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether a conversation exists and is not being deleted. */
async function isOpen(db: Db, id: string): Promise<boolean> {
  const open = db.selectFrom('conversations').select('id').where('id', '=', id).where('used_at', '>', 0)
  return (await open.executeTakeFirst()) !== undefined
}

const contentBytes = sql<number>`octet_length(content)`.as('bytes')

const sizeOf = (items: readonly NewItem[]): number => items.reduce((sum, item) => sum + item.size, 0)

async function fitsAccount(db: Db, { owner: { userId }, max }: Growing, added: readonly NewItem[]): Promise<boolean> {
  const { size } = await conversationStore(db).totals(userId)
  return size + sizeOf(added) <= max.accountSize
}

async function existingIds(db: Db, id: string, items: readonly NewItem[]): Promise<ReadonlySet<string>> {
  const existing = new Set<string>()
  for (let at = 0; at < items.length; at += MAX_AT_ONCE) {
    const ids = items.slice(at, at + MAX_AT_ONCE).map((item) => item.id)
    const rows = db.selectFrom('conversation_items').select('id').where('conversation_id', '=', id)
    for (const row of await rows.where('id', 'in', ids).execute()) existing.add(row.id)
  }
  return existing
}

/**
 * Adds the items' size and count to the conversation; returns the position of the last item, or undefined if they do
 * not fit or the conversation does not exist.
 */
async function grown(db: Db, { owner, id, now, max }: Growing, added: readonly NewItem[]): Promise<number | undefined> {
  const size = sizeOf(added)
  const conversation = await db
    .updateTable('conversations')
    .set({ used_at: now, size: sql`size + ${size}`, reached: sql`reached + ${added.length}` })
    .where('id', '=', id)
    .where(isOwn(owner))
    .where('size', '<=', max.size - size)
    .where('used_at', '>', 0)
    .returning('reached')
    .executeTakeFirst()
  return conversation?.reached
}

type Ids = SelectQueryBuilder<Schema, 'conversations', Readonly<{ id: string }>>

async function removed(db: Db, conversations: Ids, limit: number): Promise<number> {
  const items = db
    .selectFrom('conversation_items')
    .select(['conversation_id', 'position'])
    .where('conversation_id', 'in', conversations)
    .limit(limit)
  const deletedItems = await db
    .deleteFrom('conversation_items')
    .where(({ eb, refTuple }) =>
      eb(refTuple('conversation_id', 'position'), 'in', items.$asTuple('conversation_id', 'position')),
    )
    .executeTakeFirstOrThrow()
  const count = Number(deletedItems.numDeletedRows)
  if (count === limit) return count
  const deletedConversations = await db
    .deleteFrom('conversations')
    .where('id', 'in', conversations.limit(limit - count))
    .executeTakeFirstOrThrow()
  return count + Number(deletedConversations.numDeletedRows)
}
