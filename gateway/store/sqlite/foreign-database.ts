import { type GatewayError, refuse } from '../../base/errors.ts'
import type { ForeignFault, ForeignRow, ForeignSlice, ForeignTables } from './foreign-rows.ts'

/**
 * An SQLite file of another program, read on a thread and never written (docs/operations.md#import). Errors are thrown
 * as localized refusals.
 */
export interface ForeignDatabase {
  readonly tables: ForeignTables
  /**
   * Yields the rows of a table after row id `after`, by default all of them, in ascending order. Missing columns are
   * left out; yields nothing if the table or all of the columns are missing.
   */
  rows(table: string, columns: readonly string[], after?: bigint): AsyncGenerator<readonly ForeignRow[]>
  /**
   * Counts the rows after row id `after` whose `column` holds a number less than `below`; 0 if the column does not
   * exist.
   */
  countBelow(table: string, column: string, bounds: Readonly<{ below: number; after: bigint }>): Promise<number>
  close(): Promise<void>
}

/** Less than every row id that a program writes. */
const BEFORE_ALL = -(2n ** 63n)

/**
 * Opens an untrusted file. Throws a refusal if it is not a database, is truncated, or contains more than plain tables.
 */
export async function openForeignDatabase(file: string, wanted: readonly string[]): Promise<ForeignDatabase> {
  const { startForeignThread } = await import('./foreign-thread.ts')
  const thread = startForeignThread(file)
  const localized = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((cause) => {
      throw refusalOf(cause)
    })
  try {
    const tables = await localized(thread.tables(wanted))
    return {
      tables,
      async *rows(table, columns, after = BEFORE_ALL) {
        const present = columns.filter((name) => tables[table]?.columns.includes(name))
        if (!Object.hasOwn(tables, table) || present.length === 0) return
        for (let from: bigint | undefined = after; from !== undefined; ) {
          const { rows, last }: ForeignSlice = await localized(thread.slice(table, present, from))
          if (rows.length > 0) yield rows
          from = last
        }
      },
      countBelow: async (table, column, bounds) =>
        Object.hasOwn(tables, table) && tables[table]?.columns.includes(column)
          ? localized(thread.countBelow(table, column, bounds))
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
