import type { Sqlite } from './database.ts'

export type Cell = string | number

/** Inserts rows of one table in batches, which about halves the cost per row. */
interface BulkInsert {
  /** Queues the cells of one row in column order; writes once a batch is full. */
  add(cells: readonly Cell[]): void
  flush(): void
  /** Discards the queued rows after a failed transaction. */
  reset(): void
}

const ROWS = 10

/** Use it within a transaction of `writer`. */
export function createBulkInsert(writer: Sqlite, table: string, columns: readonly string[]): BulkInsert {
  const into = `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) values `
  const row = `(${columns.map(() => '?').join(', ')})`
  const one = writer.prepare(into + row)
  const many = writer.prepare(into + Array.from({ length: ROWS }, () => row).join(', '))
  const queued: Cell[] = []
  const reset = () => {
    queued.length = 0
  }
  return {
    add(cells) {
      for (const cell of cells) queued.push(cell)
      if (queued.length < ROWS * columns.length) return
      many.run(queued)
      reset()
    },
    flush() {
      for (let from = 0; from < queued.length; from += columns.length)
        one.run(queued.slice(from, from + columns.length))
      reset()
    },
    reset,
  }
}
