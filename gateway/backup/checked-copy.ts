import { UnreadableSecret, type Vault } from '../base/ciphers.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { ownCommand } from '../base/own-command.ts'
import { verifyLedger } from '../billing/verify.ts'
import { openCopy, schemaOf, upgradeCopy } from '../store/copied-database.ts'
import type { Db } from '../store/database.ts'
import { keyIdsOf, type SealedValue } from '../store/sealed-values.ts'

/** What was found in a copy that is good. */
type CheckedCopy = Readonly<{ schema: number; differences: number; keyIds: readonly string[] }>

type CheckDeps = Readonly<{
  clock: Clock
  /** Every row of the ledger is added up again; without it those that were verified before are believed. */
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
    if (version < latest && !mayUpgrade)
      throw refuse('invalid', 'backup.bad_older', { version, latest, command: `${ownCommand()} restore` })
    if (version < latest) await upgradeCopy(db, unixSeconds(clock))
    const { sealedValuesOf } = await import('../store/copy-thread.ts')
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
  const { checkDatabase } = await import('../store/copy-thread.ts')
  const said = await checkDatabase(file).catch((error: Error) => error.message)
  if (said !== 'ok') throw refuse('invalid', 'backup.bad_unreadable', { said })
}

/** Refuses where nothing is sealed with this key but with others, and where the name is right and the key is not. */
function requireKey(values: readonly SealedValue[], vault: Vault): void {
  if (values.length === 0) return
  const wrong = refuse('invalid', 'backup.bad_key', { needed: keyIdsOf(values).join(', '), own: vault.keyId })
  const own = values.filter(({ keyId }) => keyId === vault.keyId)
  if (own.length === 0) throw wrong
  try {
    for (const { sealed, place } of own) vault.open(sealed, place)
  } catch (error) {
    throw error instanceof UnreadableSecret ? wrong : error
  }
}
