import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, open, stat, statfs } from 'node:fs/promises'
import { basename } from 'node:path'
import { logType } from '../../shared/enums.ts'
import type { MessageParams } from '../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { logMessage } from '../base/localized-message.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { replaceFile, syncFile } from '../base/whole-file.ts'
import { descriptionFileOf } from '../store/sqlite/backup-files.ts'
import type { Db } from '../store/sqlite/database.ts'
import {
  type DecidedRestore,
  decideRestore,
  discardStaged,
  stageRestore,
  UnreadableMark,
} from '../store/sqlite/restore-swap.ts'
import { checkCopy } from './checked-copy.ts'

export type RestoreDeps = Readonly<{
  folder: string
  clock: Clock
  /** The key that must decrypt the values in the backup. */
  vault: Vault
  /** The key from a key file; it replaces the folder's key when the backup replaces the database. */
  newKey?: Buffer | undefined
  /**
   * Whether to accept a backup of an older release: only while no gateway runs, because its migration would block a
   * gateway.
   */
  mayUpgrade: boolean
  mayDiffer: boolean
  /** Who restores it, for the log of the restored database. */
  by: MessageParams[string]
}>

/**
 * Copies a backup next to the database, checks the copy, and schedules it to replace the database before the next start
 * (docs/reference/backup.md#restore). A refused backup leaves no files and does not affect an earlier decision; the
 * backup itself is only read.
 */
export async function prepareRestore(file: string, deps: RestoreDeps): Promise<DecidedRestore> {
  const { folder, clock, vault, newKey, mayUpgrade, mayDiffer, by } = deps
  const source = await stat(file).catch(() => undefined)
  if (!source?.isFile()) throw refuse('missing', 'backup.missing')
  await requireFreeSpace(folder, file)
  const description = descriptionFileOf(file, source.size)
  const staged = readably(() => stageRestore(folder))
  try {
    await copied(file, staged.database)
    // Hashes the copy, because the original file may have changed meanwhile.
    if (description && (await sumOf(staged.database)) !== description.sha256)
      throw refuse('invalid', 'backup.bad_altered')
    const madeAt = description?.made_at ?? Math.floor(source.mtimeMs / 1000)
    const together = (db: Db) => recordRestore(db, { from: basename(file), by, clock })
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

/** Throws a refusal if the file of an earlier decision cannot be read; a person has to clear it. */
export function readably<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof UnreadableMark)) throw cause
    throw refuse('invalid', 'backup.decision_unreadable', {}, { cause })
  }
}

export async function sumOf(file: string): Promise<string> {
  const sum = createHash('sha256')
  for await (const part of createReadStream(file)) sum.update(part)
  return sum.digest('hex')
}

async function copied(file: string, target: string): Promise<void> {
  await (await open(target, 'wx', 0o600)).close()
  try {
    await copyFile(file, target)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw refuse('unavailable', 'backup.not_written', { said: reason }, { cause })
  }
}

type RestoreRecord = Readonly<{ from: string; by: RestoreDeps['by']; clock: Clock }>

/**
 * Logs everyone out, so that sessions ended after the backup stay ended, deletes pending notices, so that none is sent
 * twice, and records the restore in the log.
 */
async function recordRestore(db: Db, { from, by, clock }: RestoreRecord): Promise<void> {
  await db.deleteFrom('sessions').execute()
  await db.deleteFrom('pending_notices').execute()
  const entry = logMessage([{ key: 'log.restored', params: { name: from, actor: by } }], {
    admin_info: { restored: from, actor: { id: 0, username: typeof by === 'string' ? by : '' } },
  })
  await db
    .insertInto('logs')
    .values({ user_id: 0, created_at: unixSeconds(clock), type: logType.manage, ...entry })
    .execute()
}

/** Bytes that must remain free after a copy, so that the gateway can continue. */
const RESERVE_BYTES = 64 * 1024 * 1024

/** Throws a refusal if a copy of `file` would take the disk space that charges need. */
export async function requireFreeSpace(folder: string, file: string): Promise<void> {
  const needed = (await stat(file)).size + RESERVE_BYTES
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < needed)
    throw refuse('unavailable', 'backup.no_room', { need: megabytes(needed), free: megabytes(bavail * bsize) })
}

export const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
