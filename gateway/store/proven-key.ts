import { sql } from 'kysely'
import { SEALED, sealedColumns } from './sealed-values.ts'
import type { Db } from './sqlite/database.ts'

/**
 * Whether this key has sealed any data, or no key has: otherwise the data belongs to another key, and channels cannot be
 * used.
 */
export async function isProvenKey(db: Db, keyId: string): Promise<boolean> {
  return (await hasSealed(db, `v1.${keyId}.%`)) || !(await hasSealed(db, SEALED))
}

async function hasSealed(db: Db, pattern: string): Promise<boolean> {
  for (const { table, column } of sealedColumns) {
    const found = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} like ${pattern} limit 1`.execute(
      db,
    )
    if (found.rows.length > 0) return true
  }
  return false
}
