import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  HandleEmptyInListsPlugin,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
  type TransactionSettings,
} from 'kysely'

/** SQLite takes an empty list after `in`, PostgreSQL does not. */
export const plugins = [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })]

/** The two keys of PostgreSQL's advisory locks: `sw` in ASCII, and a number for each purpose. */
export const LOCKS_OF_APPLICATION = 0x7377
export const locks = { transaction: 1, migration: 2, move: 3, commits: 4 } as const

export const lockedBy = (lock: keyof typeof locks): string => `${LOCKS_OF_APPLICATION}, ${locks[lock]}`

/**
 * PostgreSQL with transactions that run one at a time, on all nodes together, as they do on SQLite: the code that reads
 * a row and writes it back relies on that. The ledger's transactions do not use this dialect.
 */
export function serialDialect(pool: PostgresPool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new SerialDriver({ pool }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class SerialDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(connection, settings)
    await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${lockedBy('transaction')})`))
  }
}
