import type { SelectQueryBuilder } from 'kysely'
import type { Schema } from './schema/schema.ts'
import type { Db } from './sqlite/database.ts'

export type PageRange = Readonly<{ offset: number; limit: number }>

/** The range of the page with a 0-based index (docs/reference/api.md#paging). */
export const pageAtIndex = (index: number, size: number): PageRange => ({ offset: bounded(index * size), limit: size })

/** The range of the page with a 1-based number (docs/reference/api.md#paging). */
export const pageAtNumber = (page: number, size: number): PageRange => pageAtIndex(page - 1, size)

/**
 * Counts the rows that a query selects, but stops at `max` and then returns `max`. This keeps the total of a log with
 * millions of rows cheaper than the page itself.
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

/** The column and direction of a sort order, where a leading minus means descending; undefined if there is none. */
export function sortOf<C extends string>(
  order: '' | C | `-${C}` | undefined,
): Readonly<{ column: C; direction: 'asc' | 'desc' }> | undefined {
  if (!order) return undefined
  const column = order.replace(/^-/, '') as C // neither empty nor with a minus, so it is a column
  return { column, direction: order.startsWith('-') ? 'desc' : 'asc' }
}

/** Keeps the offset within a database integer. */
const bounded = (offset: number) => Math.min(offset, Number.MAX_SAFE_INTEGER)
