import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Query } from './reader-thread.ts'

/** SQLite somewhere else: every query goes to `read`. There are no transactions and no cursors; each query sees the newest commit. */
export function readerDialect(read: (query: Query) => Promise<unknown[]>): Dialect {
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ sql, parameters }: Query) => ({
      // The caller's builder knows the row of its own query; nothing between here and there does.
      rows: (await read({ sql, parameters })) as R[],
    }),
    streamQuery: unsupported,
  }
  const driver: Driver = {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: unsupported,
    commitTransaction: unsupported,
    rollbackTransaction: unsupported,
    releaseConnection: nothing,
    destroy: nothing,
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

const nothing = async () => undefined

function unsupported(): never {
  throw new Error('the reader only answers whole queries')
}
