import { sql } from 'kysely'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { type RowSize, stepsOf } from '../../base/row-steps.ts'
import { isOwn, type RowOwner } from '../row-owner.ts'
import type { Db } from '../sqlite/database.ts'
import { conversationStore } from './conversations.ts'

/** `parts` is the content in order, each part encrypted and at most about 1 MiB long. */
type Item = Readonly<{ id: string; parts: readonly string[] }>
/** `size` is what the item adds to its conversation. */
export type NewItem = Item & Readonly<{ size: number }>

/** A range of a conversation's items: those after a position (before it if newest first), at most `limit`. */
type ItemRange = Readonly<{ after?: number | undefined; isNewestFirst: boolean; limit: number }>

/**
 * A conversation to append items to, the current time, and the max sizes of the conversation and of all those of its
 * account that were used after `since`.
 */
type Growing = Readonly<{
  owner: RowOwner
  id: string
  now: number
  since: number
  max: Readonly<{ size: number; accountSize: number }>
}>

/** Ids per statement. */
const MAX_AT_ONCE = 500

/** The `conversation_items` table, and `conversation_parts` with the rest of long items. */
export const conversationItemStore = (db: Db) => ({
  /**
   * Appends items and marks the conversation as used at `now`. Skips items whose ids already exist and returns those
   * ids. Returns undefined and changes nothing if the conversation does not exist, or if the conversation or its
   * account would exceed `max`. Many long items take several transactions, between which others run: if the process
   * dies, only the first items are stored.
   */
  async append(conversation: Growing, items: readonly NewItem[]): Promise<ReadonlySet<string> | undefined> {
    const existing = await existingIds(db, conversation.id, items)
    const added = items.filter((item) => !existing.has(item.id))
    const contents = contentsOf(added)
    const sizes = contents.map(({ content }, index) => ({ id: index, bytes: content.length }))
    const [firstStep = [], ...steps] = stepsOf(sizes)
    const insert = (transaction: Db, last: number, step: readonly number[]) =>
      insertContents(transaction, conversation.id, {
        first: last - added.length + 1,
        contents: step.flatMap((index) => contents[index] ?? []),
      })
    const reached = await db.transaction().execute(async (transaction) => {
      if (!(await fitsAccount(transaction, conversation, added))) return undefined
      const last = await grown(transaction, conversation, added)
      if (last !== undefined) await insert(transaction, last, firstStep)
      return last
    })
    if (reached === undefined) return undefined
    for (const step of steps) {
      await yieldToOthers()
      await db.transaction().execute(async (transaction) => {
        if (await isOpen(transaction, conversation.id)) await insert(transaction, reached, step)
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

  at: (id: string, positions: readonly number[], isNewestFirst: boolean): Promise<Item[]> =>
    itemsAt(db, id, positions, isNewestFirst),

  /** Deletes an item and subtracts `size` from its conversation. */
  removeItem: (id: string, itemId: string, size: number): Promise<void> =>
    db.transaction().execute((transaction) => removeItem(transaction, { id, itemId, size })),
})

async function itemsAt(db: Db, id: string, positions: readonly number[], isNewestFirst: boolean): Promise<Item[]> {
  const rows = await db
    .selectFrom('conversation_items')
    .select(['id', 'position', 'content'])
    .where('conversation_id', '=', id)
    .where('position', 'in', positions)
    .orderBy('position', isNewestFirst ? 'desc' : 'asc')
    .execute()
  const parts = await db
    .selectFrom('conversation_parts')
    .select(['position', 'content'])
    .where('conversation_id', '=', id)
    .where('position', 'in', positions)
    .orderBy('position')
    .orderBy('part')
    .execute()
  const rest = Map.groupBy(parts, ({ position }) => position)
  return rows.map(({ id, position, content }) => ({
    id,
    parts: [content, ...(rest.get(position) ?? []).map((part) => part.content)],
  }))
}

type RemovedItem = Readonly<{ id: string; itemId: string; size: number }>

async function removeItem(transaction: Db, { id, itemId, size }: RemovedItem): Promise<void> {
  const deleted = await transaction
    .deleteFrom('conversation_items')
    .where('conversation_id', '=', id)
    .where('id', '=', itemId)
    .returning('position')
    .executeTakeFirst()
  if (!deleted) return
  await transaction
    .deleteFrom('conversation_parts')
    .where('conversation_id', '=', id)
    .where('position', '=', deleted.position)
    .execute()
  await transaction
    .updateTable('conversations')
    .set({ size: sql`size - ${size}` })
    .where('id', '=', id)
    .execute()
}

/**
 * A row to insert: an item with its first part (0), or another part. `index` is the position of the item among the
 * added ones.
 */
type NewContent = Readonly<{ index: number; part: number; id: string; content: string }>

/** An item's further parts precede it: an item that exists is complete, even if the process dies while writing. */
const contentsOf = (items: readonly NewItem[]): NewContent[] =>
  items.flatMap(({ id, parts }, index) => parts.map((content, part) => ({ index, part, id, content })).reverse())

type NewContents = Readonly<{ first: number; contents: readonly NewContent[] }>

async function insertContents(db: Db, conversation_id: string, { first, contents }: NewContents): Promise<void> {
  const placed = contents.map(({ index, ...content }) => ({ conversation_id, position: first + index, ...content }))
  const parts = placed.filter(({ part }) => part > 0).map(({ id: _, ...row }) => row)
  if (parts.length > 0) await db.insertInto('conversation_parts').values(parts).execute()
  const items = placed.filter(({ part }) => part === 0).map(({ part: _, ...row }) => row)
  if (items.length === 0) return
  await db
    .insertInto('conversation_items')
    .values(items)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether a conversation exists and is not being deleted. */
async function isOpen(db: Db, id: string): Promise<boolean> {
  const open = db.selectFrom('conversations').select('id').where('id', '=', id).where('used_at', '>', 0)
  return (await open.executeTakeFirst()) !== undefined
}

const contentBytes = sql<number>`octet_length(content) + coalesce((
  select sum(octet_length(content)) from conversation_parts as parts
  where parts.conversation_id = conversation_items.conversation_id and parts.position = conversation_items.position
), 0)`.as('bytes')

const sizeOf = (items: readonly NewItem[]): number => items.reduce((sum, item) => sum + item.size, 0)

async function fitsAccount(
  db: Db,
  { owner: { userId }, since, max }: Growing,
  added: readonly NewItem[],
): Promise<boolean> {
  const { size } = await conversationStore(db).totals(userId, since)
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
