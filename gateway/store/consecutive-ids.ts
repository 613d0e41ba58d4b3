import { sql, type Transaction } from 'kysely'
import { isSqlite } from './match.ts'
import type { Schema } from './schema/schema.ts'

type Tables = readonly (keyof Schema)[]

/**
 * Prevents others from writing these tables until the transaction ends; on SQLite, a transaction does so for all
 * tables.
 */
export async function lockTables(transaction: Transaction<Schema>, tables: Tables): Promise<void> {
  if (!isSqlite(transaction))
    await sql`lock table ${sql.join(tables.map(sql.table))} in share row exclusive mode`.execute(transaction)
}

/** Makes the database assign ids above those that were inserted explicitly; SQLite always does. */
export async function continueIds(transaction: Transaction<Schema>, tables: Tables): Promise<void> {
  if (isSqlite(transaction)) return
  for (const table of tables)
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest(max(id), nextval(pg_get_serial_sequence(${table}, 'id')))) from ${sql.table(table)}`.execute(
      transaction,
    )
}
