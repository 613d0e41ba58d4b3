import { type RawBuilder, sql } from 'kysely'
import { UnreadableSecret, type Vault } from '../base/ciphers.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { verifyLedger } from '../billing/verify.ts'
import { openCopy, openUnchanged, schemaOf, upgradeCopy } from '../store/copied-database.ts'
import type { Db } from '../store/database.ts'

/** What was found in a copy that is good. */
export type CheckedCopy = Readonly<{ schema: number; differences: number; keyIds: readonly string[] }>

export type CheckDeps = Readonly<{
  clock: Clock
  /** Every row of the ledger is added up anew; without it those that were verified before are believed. */
  isThorough: boolean
  /** A copy of an older release is brought to the schema of this one; without it such a copy is refused. */
  mayUpgrade: boolean
  /** The key that has to open what is sealed; not looked at where absent. */
  vault?: Vault | undefined
  /** What is changed in the copy once it was found good. */
  together?: (db: Db) => Promise<void>
}>

/**
 * Checks a copy of a database that nobody else uses: whole, ours, of no newer schema, sealed with this key, its balances
 * against its ledger (docs/reference/backup.md#what-is-checked). Refuses all but differences of the books, which it counts.
 * The copy then has no sessions, and no jobs that are under way.
 */
export async function checkCopy(file: string, deps: CheckDeps): Promise<CheckedCopy> {
  const { clock, isThorough, mayUpgrade, vault, together } = deps
  await requireWhole(file)
  const { db, close } = openCopy(file)
  try {
    const { version, latest, isOurs } = await schemaOf(db)
    if (!isOurs) throw refuse('invalid', 'backup.bad_foreign')
    if (version > latest) throw refuse('invalid', 'backup.bad_newer', { version, latest })
    if (version < latest && !mayUpgrade) throw refuse('invalid', 'backup.bad_older', { version, latest })
    if (version < latest) await upgradeCopy(db, unixSeconds(clock))
    const keyIds = await keyIdsIn(db)
    if (vault) await requireKey(db, keyIds, vault)
    const scope = isThorough ? 'all' : 'new'
    const differences = await verifyLedger(db, { scope, progress: { rows: 0, accounts: 0 }, clock })
    await db.deleteFrom('locks').execute()
    await together?.(db)
    return { schema: latest, differences: differences.length, keyIds }
  } finally {
    await close()
  }
}

async function requireWhole(file: string): Promise<void> {
  const { checkDatabase } = await import('../store/copy-thread.ts')
  const said = await checkDatabase(file).catch((error: Error) => error.message)
  if (said !== 'ok') throw refuse('invalid', 'backup.bad_unreadable', { said })
}

/** Where sealed values lie that every installation has: what is kept of calls for a while follows the same key. */
const sealed = [
  { table: 'channels', column: 'key', row: 'id' },
  { table: 'tokens', column: 'key', row: 'id' },
  { table: 'options', column: 'value', row: 'key' },
  { table: 'authenticators', column: 'secret', row: 'user_id' },
] as const

const SEALED = 'v1.________.%'

/** The names of the keys that something in a database is sealed with, which nobody has open. */
export async function sealingKeysIn(file: string): Promise<readonly string[]> {
  const { db, close } = openUnchanged(file)
  try {
    return await keyIdsIn(db)
  } finally {
    await close()
  }
}

/** The names of all keys that something is sealed with. */
async function keyIdsIn(db: Db): Promise<string[]> {
  const ids = new Set<string>()
  const tables = await rowsOf<{ name: string }>(db, sql`select name from sqlite_master where type = 'table'`)
  for (const { table, column } of sealed) {
    // An older schema has not all of them.
    if (!tables.some(({ name }) => name === table)) continue
    const value = sql.ref(column)
    const found = await rowsOf<{ id: string }>(
      db,
      sql`select distinct substr(${value}, 4, 8) as id from ${sql.table(table)} where ${value} like ${SEALED}`,
    )
    for (const { id } of found) if (/^[0-9a-f]{8}$/.test(id)) ids.add(id)
  }
  return [...ids].sort()
}

/** Refuses where nothing is sealed with this key but with others, and where the name is right and the key is not. */
async function requireKey(db: Db, ids: readonly string[], vault: Vault): Promise<void> {
  if (ids.length === 0) return
  const wrong = refuse('invalid', 'backup.bad_key', { needed: ids.join(', '), own: vault.keyId })
  if (!ids.includes(vault.keyId)) throw wrong
  for (const { table, column, row } of sealed) {
    const value = sql.ref(column)
    const prefix = `v1.${vault.keyId}.%`
    const [one] = await rowsOf<{ id: string | number; sealed: string }>(
      db,
      sql`select ${sql.ref(row)} as id, ${value} as sealed from ${sql.table(table)} where ${value} like ${prefix} limit 1`,
    )
    try {
      if (one) vault.open(one.sealed, `${table}|${one.id}|${column}`)
    } catch (error) {
      throw error instanceof UnreadableSecret ? wrong : error
    }
  }
}

async function rowsOf<T>(db: Db, query: RawBuilder<unknown>): Promise<T[]> {
  const { rows } = await query.execute(db)
  return rows as T[] // each query names its columns
}
