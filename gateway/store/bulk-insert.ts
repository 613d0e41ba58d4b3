import type { Sqlite } from './database.ts'

export type Cell = string | number

/** Rows of one table gathered and inserted several at a time, which costs about half of inserting each by itself. */
interface BulkInsert {
  /** Takes the cells of one row in the order of the columns; writes once enough rows wait. */
  add(cells: readonly Cell[]): void
  /** Writes the rows that wait. */
  flush(): void
  /** Forgets the rows that wait, after a transaction that failed. */
  reset(): void
}

const ROWS = 10

/** Bulk inserts into `table`; to be used within a transaction of `writer`. */
export function createBulkInsert(writer: Sqlite, table: string, columns: readonly string[]): BulkInsert {
  const into = `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) values `
  const row = `(${columns.map(() => '?').join(', ')})`
  const one = writer.prepare(into + row)
  const many = writer.prepare(into + Array.from({ length: ROWS }, () => row).join(', '))
  const waiting: Cell[] = []
  const reset = () => {
    waiting.length = 0
  }
  return {
    add(cells) {
      for (const cell of cells) waiting.push(cell)
      if (waiting.length < ROWS * columns.length) return
      many.run(waiting)
      reset()
    },
    flush() {
      for (let from = 0; from < waiting.length; from += columns.length)
        one.run(waiting.slice(from, from + columns.length))
      reset()
    },
    reset,
  }
}
