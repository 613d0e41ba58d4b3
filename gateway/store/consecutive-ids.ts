import { sql, type Transaction } from 'kysely'
import { isSqlite } from './match.ts'
import type { Schema } from './schema/schema.ts'

type Tables = readonly (keyof Schema)[]

/** Until the transaction ends, no one else writes these tables; on SQLite that is true of all tables. */
export async function lockTables(transaction: Transaction<Schema>, tables: Tables): Promise<void> {
  if (!isSqlite(transaction))
    await sql`lock table ${sql.join(tables.map(sql.table))} in share row exclusive mode`.execute(transaction)
}

/** Lets the database assign ids above those that were inserted with an id; SQLite always does. */
export async function continueIds(transaction: Transaction<Schema>, tables: Tables): Promise<void> {
  if (isSqlite(transaction)) return
  for (const table of tables)
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest(max(id), nextval(pg_get_serial_sequence(${table}, 'id')))) from ${sql.table(table)}`.execute(
      transaction,
    )
}
