import Database from 'better-sqlite3'

/** One value of those that a key has sealed in a column: what is to open with it, and where it lies. */
export type SealedValue = Readonly<{ keyId: string; sealed: string; place: string }>

/** Where sealed values lie that every installation has: what is kept of calls for a while follows the same key. */
const columns = [
  { table: 'channels', column: 'key', row: 'id' },
  { table: 'tokens', column: 'key', row: 'id' },
  { table: 'options', column: 'value', row: 'key' },
  { table: 'authenticators', column: 'secret', row: 'user_id' },
] as const

const SEALED = 'v1.________.%'

/**
 * The first value that each key has sealed in each column of a database, which is not changed; older schemas have not all of
 * the columns. Reads whole tables: what relays meanwhile asks for it by `sealedValuesOf` (copy-thread.ts).
 */
export function sealedValuesIn(file: string): SealedValue[] {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  try {
    database.pragma('trusted_schema = OFF')
    database.pragma('busy_timeout = 5000')
    const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all()
    return columns
      .filter(({ table }) => tables.includes(table))
      .flatMap(({ table, column, row }) => {
        // A column beside `min` is that of the row which has it.
        const first = `select substr("${column}", 4, 8) as keyId, min("${row}") as row, "${column}" as sealed`
        const found = database.prepare(`${first} from "${table}" where "${column}" like ? group by 1`).all(SEALED)
        return found
          .map((each) => each as Readonly<{ keyId: string; row: string | number; sealed: string }>) // as the query names them
          .filter(({ keyId }) => /^[0-9a-f]{8}$/.test(keyId))
          .map(({ keyId, row: id, sealed }) => ({ keyId, sealed, place: `${table}|${id}|${column}` }))
      })
  } finally {
    database.close()
  }
}

/** The names of the keys of some values, each once. */
export const keyIdsOf = (values: readonly SealedValue[]): string[] => [
  ...new Set(values.map(({ keyId }) => keyId).sort()),
]
