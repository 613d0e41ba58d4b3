import type { SelectQueryBuilder } from 'kysely'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

/** A stretch of a list: rows to leave out, then rows to take. */
export type PageRange = Readonly<{ offset: number; limit: number }>

/** The stretch of the page at a 0-based index (docs/reference/api.md#paging). */
export const pageAtIndex = (index: number, size: number): PageRange => ({ offset: bounded(index * size), limit: size })

/** The stretch of the page with a number counted from 1 (docs/reference/api.md#paging). */
export const pageAtNumber = (page: number, size: number): PageRange => pageAtIndex(page - 1, size)

/**
 * How many rows a query selects, counting no further than `most`: beyond that the answer is `most`. Keeps the total of a
 * log of millions of rows from costing more than the page itself.
 */
export async function countUpTo<T extends keyof Schema & string, O>(
  db: Db,
  rows: SelectQueryBuilder<Schema, T, O>,
  max: number,
): Promise<number> {
  const { n } = await db
    .selectFrom(rows.limit(max).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** An offset that fits a database integer; no list is that long. */
const bounded = (offset: number) => Math.min(offset, Number.MAX_SAFE_INTEGER)
