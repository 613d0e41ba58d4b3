import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Query } from './reader-thread.ts'

/**
 * SQLite on another thread: every query goes to `read`. No transactions and no cursors; each query sees the newest
 * commit.
 */
export function readerDialect(read: (query: Query) => Promise<unknown[]>): Dialect {
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ sql, parameters }: Query) => ({
      // Only the caller's query builder knows the row type of its query.
      rows: (await read({ sql, parameters })) as R[],
    }),
    streamQuery: unsupported,
  }
  const driver: Driver = {
    init: noop,
    acquireConnection: async () => connection,
    beginTransaction: unsupported,
    commitTransaction: unsupported,
    rollbackTransaction: unsupported,
    releaseConnection: noop,
    destroy: noop,
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

const noop = async () => undefined

function unsupported(): never {
  throw new Error('the reader only answers whole queries')
}
