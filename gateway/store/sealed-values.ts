import Database from 'better-sqlite3'

/** An encrypted sample value: the id of its key, the ciphertext, and its context (`table|row|column`). */
export type SealedValue = Readonly<{ keyId: string; sealed: string; context: string }>

/**
 * Encrypted columns that every installation has. Stored calls are encrypted with the same key, so they need no check.
 */
export const sealedColumns = [
  { table: 'channels', column: 'key', row: 'id' },
  { table: 'tokens', column: 'key', row: 'id' },
  { table: 'options', column: 'value', row: 'key' },
  { table: 'authenticators', column: 'secret', row: 'user_id' },
] as const

/** A pattern for `like` that matches encrypted values. */
export const SEALED = 'v1.________.%'

/**
 * Returns one encrypted value per key and column of a database, which is not changed; older schemas lack some of the
 * columns. Reads whole tables, so a running gateway calls `sealedValuesOf` (copy-thread.ts) instead.
 */
export function sealedValuesIn(file: string): SealedValue[] {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  try {
    database.pragma('trusted_schema = OFF')
    database.pragma('busy_timeout = 5000')
    const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all()
    return sealedColumns
      .filter(({ table }) => tables.includes(table))
      .flatMap(({ table, column, row }) => {
        // With `min`, SQLite takes the other columns from the row that has the minimum.
        const first = `select substr("${column}", 4, 8) as keyId, min("${row}") as row, "${column}" as sealed`
        const found = database.prepare(`${first} from "${table}" where "${column}" like ? group by 1`).all(SEALED)
        return found
          .map((each) => each as Readonly<{ keyId: string; row: string | number; sealed: string }>)
          .filter(({ keyId }) => /^[0-9a-f]{8}$/.test(keyId))
          .map(({ keyId, row: id, sealed }) => ({ keyId, sealed, context: `${table}|${id}|${column}` }))
      })
  } finally {
    database.close()
  }
}

export const keyIdsOf = (values: readonly SealedValue[]): string[] => [
  ...new Set(values.map(({ keyId }) => keyId).sort()),
]
