import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { ownCommand } from '../base/own-command.ts'
import { UnreadableSecret, type Vault } from '../base/secrets/ciphers.ts'
import { verifyLedger } from '../billing/verify.ts'
import { keyIdsOf, type SealedValue } from '../store/sealed-values.ts'
import { openCopy, schemaOf, upgradeCopy } from '../store/sqlite/copied-database.ts'
import type { Db } from '../store/sqlite/database.ts'

type CheckedCopy = Readonly<{ schema: number; differences: number; keyIds: readonly string[] }>

type CheckDeps = Readonly<{
  clock: Clock
  /** Adds up every row of the ledger; otherwise trusts rows that were verified before. */
  isThorough: boolean
  /** Migrates a copy of an older release; otherwise such a copy is refused. */
  mayUpgrade: boolean
  /** The key that must decrypt the encrypted values; not checked if absent. */
  vault?: Vault | undefined
  together?: (db: Db) => Promise<void>
}>

/**
 * Checks a copy of a database that no other process uses: integrity, origin, schema version, encryption key, and
 * balances against the ledger (docs/reference/backup.md#checks). Throws a refusal for everything except
 * differences in balances, which it counts. Also deletes the job locks of the copy.
 */
export async function checkCopy(file: string, deps: CheckDeps): Promise<CheckedCopy> {
  const { clock, isThorough, mayUpgrade, vault, together } = deps
  await requireWhole(file)
  const { db, close } = openCopy(file)
  try {
    const { version, latest, isOurs } = await schemaOf(db)
    if (!isOurs) throw refuse('invalid', 'backup.bad_foreign')
    if (version > latest) throw refuse('invalid', 'backup.bad_newer', { version, latest })
    if (version < latest && !mayUpgrade)
      throw refuse('invalid', 'backup.bad_older', { version, latest, command: `${ownCommand()} restore` })
    if (version < latest) await upgradeCopy(db, unixSeconds(clock))
    const { sealedValuesOf } = await import('../store/sqlite/copy-thread.ts')
    const values = await sealedValuesOf(file)
    if (vault) requireKey(values, vault)
    const scope = isThorough ? 'all' : 'new'
    const differences = await verifyLedger(db, { scope, progress: { rows: 0, accounts: 0 }, clock })
    await db.deleteFrom('locks').execute()
    await together?.(db)
    return { schema: latest, differences: differences.length, keyIds: keyIdsOf(values) }
  } finally {
    await close()
  }
}

async function requireWhole(file: string): Promise<void> {
  const { checkDatabase } = await import('../store/sqlite/copy-thread.ts')
  const result = await checkDatabase(file).catch((error: Error) => error.message)
  if (result !== 'ok') throw refuse('invalid', 'backup.bad_unreadable', { said: result })
}

/** Throws if values are encrypted only with other keys, or if the key id matches but the key does not decrypt. */
function requireKey(values: readonly SealedValue[], vault: Vault): void {
  if (values.length === 0) return
  const wrong = refuse('invalid', 'backup.bad_key', { needed: keyIdsOf(values).join(', '), own: vault.keyId })
  const own = values.filter(({ keyId }) => keyId === vault.keyId)
  if (own.length === 0) throw wrong
  try {
    for (const { sealed, context } of own) vault.open(sealed, context)
  } catch (error) {
    throw error instanceof UnreadableSecret ? wrong : error
  }
}
