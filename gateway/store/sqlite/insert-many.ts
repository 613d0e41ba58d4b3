import { setImmediate as otherWork } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { Db } from './database.ts'

/** Rows per statement: about a millisecond, and far below the parameter limit. */
const ROWS = 100

/** Called after each statement with the number of rows inserted so far; may throw to abort. */
export type OnInserted = (done: number) => void

/**
 * Inserts rows in statements of 100, each built just before it runs, and yields to the event loop between them. A long
 * transaction still occupies its connection, but blocks other work for only about a millisecond at a time.
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

const IDS = 500

/** Runs a statement for successive id ranges from `first` to `last`, yielding to the event loop between them. */
export async function inStretches(
  { first, last }: Readonly<{ first: number; last: number }>,
  work: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  for (let from = first; from <= last; from += IDS) {
    await work(from, Math.min(last, from + IDS - 1))
    await otherWork()
  }
}
