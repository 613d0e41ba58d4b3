import { sql } from 'kysely'
import type { Older } from '../store/migrations/column.ts'
import type { MovedTable } from './moved-tables.ts'

type RowValue = string | number | null
export type Row = Readonly<Record<string, RowValue>>

/** `after` is the key of the last row. */
type RowSlice = Readonly<{ rows: readonly Row[]; after: readonly RowValue[] }>

const FIRST_ROWS = 16
const MAX_ROWS = 1000
/** Max cells of a slice: PostgreSQL allows 65,535 parameters in a statement, SQLite 32,766. */
const MAX_CELLS = 30_000
/** If a slice has more characters than this, the next slice has fewer rows. */
const MAX_CHARACTERS = 8_000_000

/** Reads a table in the order of its key, starting with the row after the key `after`. */
export async function* slicesOf(
  db: Older,
  table: MovedTable,
  after?: readonly RowValue[],
): AsyncGenerator<RowSlice, void, undefined> {
  const most = Math.min(MAX_ROWS, Math.floor(MAX_CELLS / table.columns.length))
  let limit = FIRST_ROWS
  for (let reached = after; ; ) {
    const rows = await rowsBehind(db, table, reached, limit)
    const last = rows.at(-1)
    if (!last) return
    reached = table.key.map((name) => last[name] ?? null)
    yield { rows, after: reached }
    limit = charactersIn(rows) > MAX_CHARACTERS ? Math.ceil(limit / 2) : Math.min(most, limit * 2)
  }
}

async function rowsBehind(
  db: Older,
  { name, columns, key, only }: MovedTable,
  after: readonly RowValue[] | undefined,
  limit: number,
): Promise<readonly Row[]> {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  const behind = after ? sql`(${keys}) > (${sql.join(after)})` : sql`1 = 1`
  const query = sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}
    where ${behind} and ${sql.raw(only)} order by ${keys} limit ${sql.lit(limit)}`
  return (await query.execute(db)).rows
}

const charactersIn = (rows: readonly Row[]): number =>
  rows.reduce((sum, row) => sum + Object.values(row).reduce<number>((length, value) => length + lengthOf(value), 0), 0)

const lengthOf = (value: RowValue | undefined): number => (typeof value === 'string' ? value.length : 8)

/** PostgreSQL stores neither U+0000 nor half a surrogate pair; both become U+FFFD. */
export const storableCell = (value: RowValue | undefined): RowValue =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : (value ?? null)
