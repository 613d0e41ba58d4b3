import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { isOwn, type RowOwner } from './row-owner.ts'
import type { ConversationRow, Schema } from './schema.ts'
import { ownerAfter } from './stored-responses.ts'

/** An item as it lies in the table; `content` is sealed. */
export type ItemRow = Readonly<{ id: string; content: string }>
/** `size` is what it adds to its conversation. */
export type NewItem = ItemRow & Readonly<{ size: number }>
type PlacedItem = ItemRow & Readonly<{ position: number }>

/** A stretch of a conversation's items: those behind a position (before it, from the newest on), and how many at most. */
type ItemsAsked = Readonly<{ after?: number | undefined; isNewestFirst: boolean; limit: number }>

/** A conversation that items are added to, when, and how long it and all of its account may be then. */
type Growing = Readonly<{
  owner: RowOwner
  id: string
  now: number
  max: Readonly<{ size: number; accountSize: number }>
}>

/** Rows and ids in one statement. */
const MAX_AT_ONCE = 500

/** The table `conversations`: each is of one account, and goes with its items. */
export const conversationStore = (db: Db) => ({
  async add(row: Pick<ConversationRow, 'id' | 'user_id' | 'token_id' | 'metadata' | 'created_at'>): Promise<void> {
    await db
      .insertInto('conversations')
      .values({ ...row, used_at: row.created_at })
      .execute()
  },

  /** The owner's own conversation that was used after `since` (unix seconds). */
  one: (owner: RowOwner, id: string, since: number): Promise<ConversationRow | undefined> =>
    db
      .selectFrom('conversations')
      .selectAll()
      .where('id', '=', id)
      .where(isOwn(owner))
      .where('used_at', '>', since)
      .executeTakeFirst(),

  /** How many conversations an account has, and how long their items are together. */
  async totals(userId: number): Promise<Readonly<{ count: number; size: number }>> {
    const { count, size } = await db
      .selectFrom('conversations')
      .select(({ fn }) => [fn.countAll().as('count'), fn.sum('size').as('size')])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return { count: Number(count), size: Number(size) }
  },

  async setMetadata(owner: RowOwner, id: string, metadata: string): Promise<void> {
    await db.updateTable('conversations').set({ metadata }).where('id', '=', id).where(isOwn(owner)).execute()
  },

  /** Makes a conversation one that has expired, which nobody finds; false where the owner has none of this id. */
  async close(owner: RowOwner, id: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('conversations')
      .set({ used_at: 0 })
      .where('id', '=', id)
      .where(isOwn(owner))
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  /** Removes at most `limit` rows of a conversation, as `removeOld` does. */
  removeOne: (id: string, limit: number): Promise<number> =>
    removed(db, db.selectFrom('conversations').select('id').where('id', '=', id), limit),

  /**
   * Removes at most `limit` rows of conversations that were not used after `since`: their items, and once those are gone
   * themselves. Answers how many.
   */
  removeOld: (since: number, limit: number): Promise<number> =>
    removed(db, db.selectFrom('conversations').select('id').where('used_at', '<=', since), limit),

  /** The next account after `after` that has conversations. */
  ownerAfter: (after: number) => ownerAfter(db, 'conversations', after),

  /** Removes at most `limit` rows of an account's conversations, as `removeOld` does. */
  removeOf: (userId: number, limit: number): Promise<number> =>
    removed(db, db.selectFrom('conversations').select('id').where('user_id', '=', userId), limit),
})

/** The items of conversations, in the order in which they were added. */
export const conversationItemStore = (db: Db) => ({
  /**
   * Adds items behind the others in one step, and counts the conversation as used now; `size` is what they add to it.
   * Items whose ids are there already are left out; answers the ids of those. Nothing happens, and undefined is answered,
   * where the conversation is gone, or it or all of its account would be longer than `most` says.
   */
  append: (conversation: Growing, items: readonly NewItem[]): Promise<ReadonlySet<string> | undefined> =>
    db.transaction().execute(async (transaction) => {
      const there = await idsThere(transaction, conversation.id, items)
      const added = items.filter((item) => !there.has(item.id))
      if (!(await hasRoom(transaction, conversation, added))) return undefined
      const reached = await grown(transaction, conversation, added)
      if (reached === undefined) return undefined
      const rows = added.map(({ id, content }, index) => ({
        conversation_id: conversation.id,
        position: reached - added.length + 1 + index,
        id,
        content,
      }))
      for (let at = 0; at < rows.length; at += MAX_AT_ONCE)
        await transaction
          .insertInto('conversation_items')
          .values(rows.slice(at, at + MAX_AT_ONCE))
          .execute()
      return there
    }),

  /** Items of a conversation in the order that is asked for. */
  items(id: string, { after, isNewestFirst, limit }: ItemsAsked): Promise<PlacedItem[]> {
    const all = db
      .selectFrom('conversation_items')
      .select(['position', 'id', 'content'])
      .where('conversation_id', '=', id)
      .orderBy('position', isNewestFirst ? 'desc' : 'asc')
      .limit(limit)
    return (after === undefined ? all : all.where('position', isNewestFirst ? '<' : '>', after)).execute()
  },

  item: (id: string, itemId: string): Promise<PlacedItem | undefined> =>
    db
      .selectFrom('conversation_items')
      .select(['position', 'id', 'content'])
      .where('conversation_id', '=', id)
      .where('id', '=', itemId)
      .executeTakeFirst(),

  async has(id: string, itemId: string): Promise<boolean> {
    const found = await db
      .selectFrom('conversation_items')
      .select('position')
      .where('conversation_id', '=', id)
      .where('id', '=', itemId)
      .executeTakeFirst()
    return found !== undefined
  },

  /** Removes an item that is `size` long. */
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

const sizeOf = (items: readonly NewItem[]): number => items.reduce((sum, item) => sum + item.size, 0)

/** Whether the account's conversations may have these items besides. */
async function hasRoom(db: Db, { owner: { userId }, max }: Growing, added: readonly NewItem[]): Promise<boolean> {
  const { size } = await conversationStore(db).totals(userId)
  return size + sizeOf(added) <= max.accountSize
}

/** Which of the items' ids a conversation has already. */
async function idsThere(db: Db, id: string, items: readonly NewItem[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>()
  for (let at = 0; at < items.length; at += MAX_AT_ONCE) {
    const ids = items.slice(at, at + MAX_AT_ONCE).map((item) => item.id)
    const rows = db.selectFrom('conversation_items').select('id').where('conversation_id', '=', id)
    for (const row of await rows.where('id', 'in', ids).execute()) there.add(row.id)
  }
  return there
}

/** Counts items as added to a conversation, and the position that the last of them gets; undefined where they cannot be. */
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
  const gone = await db
    .deleteFrom('conversation_items')
    .where(({ eb, refTuple }) =>
      eb(refTuple('conversation_id', 'position'), 'in', items.$asTuple('conversation_id', 'position')),
    )
    .executeTakeFirstOrThrow()
  const count = Number(gone.numDeletedRows)
  if (count === limit) return count
  const empty = await db
    .deleteFrom('conversations')
    .where('id', 'in', conversations.limit(limit - count))
    .executeTakeFirstOrThrow()
  return count + Number(empty.numDeletedRows)
}
