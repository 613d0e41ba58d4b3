import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, open, stat, statfs } from 'node:fs/promises'
import { basename } from 'node:path'
import { logType } from '../../shared/enums.ts'
import type { MessageParams } from '../../shared/messages/format.ts'
import type { Vault } from '../base/ciphers.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { logMessage } from '../base/localized-message.ts'
import { replaceFile, syncFile } from '../base/whole-file.ts'
import { descriptionBeside } from '../store/backup-files.ts'
import type { Db } from '../store/database.ts'
import {
  type DecidedRestore,
  decideRestore,
  discardStaged,
  stageRestore,
  UnreadableMark,
} from '../store/restore-swap.ts'
import { checkCopy } from './checked-copy.ts'

export type RestoreDeps = Readonly<{
  folder: string
  clock: Clock
  /** The key that has to open what is sealed in the backup. */
  vault: Vault
  /** A key file's key that takes the place of the folder's together with the database. */
  newKey?: Buffer | undefined
  /** Takes a backup of an older release: only while no gateway runs, which a migration would hold up. */
  mayUpgrade: boolean
  /** Takes a backup whose balances differ from its ledger. */
  mayDiffer: boolean
  /** Who does it, as the log of the restored database tells. */
  by: MessageParams[string]
}>

/**
 * Copies a backup beside the database, checks it there, and decides that it takes the database's place before that is
 * opened next (docs/reference/backup.md#restore). Whatever is refused leaves nothing behind, and an earlier decision as it was;
 * the backup itself is only read.
 */
export async function prepareRestore(file: string, deps: RestoreDeps): Promise<DecidedRestore> {
  const { folder, clock, vault, newKey, mayUpgrade, mayDiffer, by } = deps
  const source = await stat(file).catch(() => undefined)
  if (!source?.isFile()) throw refuse('missing', 'backup.missing')
  await requireRoom(folder, file)
  const told = descriptionBeside(file, source.size)
  const staged = readably(() => stageRestore(folder))
  try {
    await copied(file, staged.database)
    // Of the copy: the file may be another one by now.
    if (told && (await sumOf(staged.database)) !== told.sha256) throw refuse('invalid', 'backup.bad_altered')
    const madeAt = told?.made_at ?? Math.floor(source.mtimeMs / 1000)
    const together = (db: Db) => asRestored(db, { from: basename(file), by, clock })
    const { differences } = await checkCopy(staged.database, { clock, isThorough: true, mayUpgrade, vault, together })
    if (differences > 0 && !mayDiffer) throw refuse('invalid', 'backup.bad_books', { n: differences })
    syncFile(staged.database)
    if (newKey) replaceFile(staged.key, `${newKey.toString('base64')}\n`)
    const decided_at = unixSeconds(clock)
    return decideRestore(folder, { from: basename(file), made_at: madeAt, decided_at, staged: staged.name })
  } catch (error) {
    discardStaged(folder, staged)
    throw error
  }
}

/** Refuses where the file of an earlier decision cannot be read: what waits there is for a person to clear. */
export function readably<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof UnreadableMark)) throw cause
    throw refuse('invalid', 'backup.decision_unreadable', {}, { cause })
  }
}

/** The SHA-256 of a file, in hex. */
export async function sumOf(file: string): Promise<string> {
  const sum = createHash('sha256')
  for await (const part of createReadStream(file)) sum.update(part)
  return sum.digest('hex')
}

/** Made owner-only before there is a byte in it. */
async function copied(file: string, target: string): Promise<void> {
  await (await open(target, 'wx', 0o600)).close()
  try {
    await copyFile(file, target)
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw refuse('unavailable', 'backup.not_written', { said }, { cause })
  }
}

type Told = Readonly<{ from: string; by: RestoreDeps['by']; clock: Clock }>

/**
 * Who had logged out after the backup is not logged in again, notices that were on their way are not sent twice, and the log says
 * where its entries come from.
 */
async function asRestored(db: Db, { from, by, clock }: Told): Promise<void> {
  await db.deleteFrom('sessions').execute()
  await db.deleteFrom('pending_notices').execute()
  const said = logMessage([{ key: 'log.restored', params: { name: from, actor: by } }], {
    admin_info: { restored: from, actor: { id: 0, username: typeof by === 'string' ? by : '' } },
  })
  await db
    .insertInto('logs')
    .values({ user_id: 0, created_at: unixSeconds(clock), type: logType.manage, ...said })
    .execute()
}

/** What must stay free beside a backup, for the gateway to go on. */
const RESERVE_BYTES = 64 * 1024 * 1024

/** A copy of `file` must not take the room that charges need. */
export async function requireRoom(folder: string, file: string): Promise<void> {
  const needed = (await stat(file)).size + RESERVE_BYTES
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < needed)
    throw refuse('unavailable', 'backup.no_room', { need: megabytes(needed), free: megabytes(bavail * bsize) })
}

/** Bytes as megabytes with one digit behind the point, for a message. */
export const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
