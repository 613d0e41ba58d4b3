import { setImmediate as otherWork } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

/** Rows of one statement: about a millisecond, and far below what one may bind. */
const ROWS = 100

/** Called after each statement with how many rows there are by now; throws to end it. */
export type OnInserted = (done: number) => void

/**
 * Inserts rows in statements of a hundred, each made when its turn comes, with a turn of the event loop between them: a
 * transaction of very many rows holds its connection for its whole length, and everything else for a millisecond at a time.
 */
export async function insertMany<T extends keyof Schema, Item>(
  db: Db,
  table: T,
  {
    items,
    rowOf,
    onInserted,
  }: Readonly<{
    items: readonly Item[]
    rowOf: (item: Item, index: number) => Insertable<Schema[T]>
    onInserted?: OnInserted | undefined
  }>,
): Promise<void> {
  for (let from = 0; from < items.length; from += ROWS) {
    const rows = items.slice(from, from + ROWS).map((item, index) => rowOf(item, from + index))
    await db.insertInto(table).values(rows).execute()
    onInserted?.(from + rows.length)
    await otherWork()
  }
}

/** Ids of one statement that changes rows by them. */
const IDS = 500

/** Runs a statement for stretches of ids from `first` to `last`, with a turn of the event loop between them. */
export async function inStretches(
  { first, last }: Readonly<{ first: number; last: number }>,
  work: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  for (let from = first; from <= last; from += IDS) {
    await work(from, Math.min(last, from + IDS - 1))
    await otherWork()
  }
}
