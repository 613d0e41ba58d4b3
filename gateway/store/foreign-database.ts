import { type GatewayError, refuse } from '../base/errors.ts'
import type { ForeignFault, ForeignRow, ForeignSlice, ForeignTables } from './foreign-rows.ts'

/**
 * The SQLite file of another program, which is read on a thread and never written (docs/operations.md#import). What cannot
 * be read is refused in words.
 */
export interface ForeignDatabase {
  readonly tables: ForeignTables
  /** All rows of a table in the order they were written; none where there is no such table. Columns it does not have are left out. */
  rows(table: string, columns: readonly string[], after?: bigint): AsyncGenerator<readonly ForeignRow[]>
  /** How many rows of a table that follow `after` have a number below a bound in a column; 0 where there is no such column. */
  countBelow(table: string, column: string, bounds: Readonly<{ below: number; after: bigint }>): Promise<number>
  close(): Promise<void>
}

/** Below every row that a program writes. */
const BEFORE_ALL = -(2n ** 63n)

/** Opens a file that may be anything. Throws a refusal for what is no database, not whole, or does more than hold rows. */
export async function openForeignDatabase(file: string, wanted: readonly string[]): Promise<ForeignDatabase> {
  const { startForeignThread } = await import('./foreign-thread.ts')
  const thread = startForeignThread(file)
  const inWords = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((cause) => {
      throw refusalOf(cause)
    })
  try {
    const tables = await inWords(thread.tables(wanted))
    return {
      tables,
      async *rows(table, columns, after = BEFORE_ALL) {
        const own = columns.filter((name) => tables[table]?.columns.includes(name))
        if (!Object.hasOwn(tables, table) || own.length === 0) return
        for (let from: bigint | undefined = after; from !== undefined; ) {
          const { rows, last }: ForeignSlice = await inWords(thread.slice(table, own, from))
          if (rows.length > 0) yield rows
          from = last
        }
      },
      countBelow: async (table, column, bounds) =>
        Object.hasOwn(tables, table) && tables[table]?.columns.includes(column)
          ? inWords(thread.countBelow(table, column, bounds))
          : 0,
      close: () => thread.end(),
    }
  } catch (error) {
    await thread.end()
    throw error
  }
}

const messages = {
  not_sqlite: 'import.not_sqlite',
  truncated: 'import.truncated',
  damaged: 'import.damaged',
  objects: 'import.objects',
  without_rows: 'import.without_rows',
  slow: 'import.slow',
} as const satisfies Record<ForeignFault['fault'], string>

function refusalOf(cause: unknown): unknown {
  if (typeof cause !== 'object' || cause === null || !('fault' in cause)) return cause
  const { fault, detail } = cause as ForeignFault // only the thread rejects with a fault
  return refused(fault, detail)
}

const refused = (fault: ForeignFault['fault'], name: string): GatewayError =>
  refuse('invalid', messages[fault], { name: name || '-' })
