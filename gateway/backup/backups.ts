import { closeSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { type JobHandle, type Jobs, nothingDue } from '../base/jobs.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import type { Ledger } from '../billing/ledger.ts'
import { lastNight, nextNight } from '../billing/upkeep.ts'
import type { Config } from '../config.ts'
import {
  BACKUP_FOLDER,
  type BackupDescription,
  type BackupFile,
  backupsIn,
  discardPart,
  isBackupName,
  newestVerified,
  nextSerial,
  prepareBackup,
  publishBackup,
  removeBackup,
} from '../store/sqlite/backup-files.ts'
import { type DecidedRestore, decidedRestore, forgetRestore, UnreadableMark } from '../store/sqlite/restore-swap.ts'
import { checkCopy } from './checked-copy.ts'
import { type KeyFile, sealKey } from './key-file.ts'
import { megabytes, prepareRestore, requireFreeSpace, sumOf } from './restore.ts'

/** Backups of an installation on SQLite (docs/reference/backup.md). */
export interface Backups {
  /** Returns all backups, the newest first. */
  list(): BackupFile[]
  isRunning(): boolean
  /**
   * Makes and verifies a backup; throws while another one is being made or a restore is being prepared. A failed backup
   * leaves no files.
   */
  make(by: BackupDescription['made_by']): Promise<BackupFile>
  remove(name: string): void
  /** The restore that waits for the next start, null if there is none, or `unreadable` if its file cannot be read. */
  decided(): DecidedRestore | 'unreadable' | null
  /** Checks a backup and schedules its restore for the next start. */
  restoreNext(name: string, by: string): Promise<DecidedRestore>
  /** Cancels a scheduled restore; does nothing if there is none. */
  keepDatabase(): void
  /** Number of scheduled backups to retain; 0 disables the schedule. */
  readonly keep: number
  readonly folder: string
  /** Returns the data key encrypted with a passphrase. Throws if the passphrase is too short. */
  exportKey(passphrase: string): Promise<KeyFile>
  stop(): Promise<void>
}

type BackupSource = Readonly<{ file: string; withoutCheckpoints<T>(work: () => Promise<T>): Promise<T> }>

type BackupDeps = Readonly<{
  config: Pick<Config, 'DATA_DIR' | 'BACKUP_KEEP'>
  /**
   * Undefined if the database is not an SQLite file: then making and restoring backups is refused
   * (docs/reference/backup.md#postgresql).
   */
  source: BackupSource | undefined
  ledger: Pick<Ledger, 'flush'>
  dataKey: Buffer
  vault: Vault
  clock: Clock
  log: Logger
  version: string
  jobs: Jobs
}>

const TICK_MS = 60_000
/** Minimum delay between a failed scheduled backup and the next attempt. */
const RETRY_MS = 3_600_000

export function createBackups(deps: BackupDeps): Backups {
  const { config, clock, vault, jobs, dataKey } = deps
  const { DATA_DIR: folder, BACKUP_KEEP: keep } = config
  let running: Promise<BackupFile> | undefined
  let restoring: Promise<DecidedRestore> | undefined
  const make = async (by: BackupDescription['made_by']): Promise<BackupFile> => {
    if (!deps.source) throw refuse('invalid', 'backup.postgres')
    if (running) throw refuse('invalid', 'backup.running')
    if (restoring) throw refuse('invalid', 'backup.restoring')
    running = makeBackup(deps, deps.source, by).finally(() => {
      running = undefined
    })
    return running
  }
  let job: JobHandle | undefined
  /** Monotonic milliseconds of the last attempt; prevents a retry of a failed backup at every tick. */
  let triedMs = Number.NEGATIVE_INFINITY
  if (deps.source && keep > 0)
    job = jobs.begin({
      name: 'backup',
      everyMs: TICK_MS,
      nextAt: (nowMs) => (isDue(deps) ? undefined : nextNight(nowMs)),
      async work({ by }) {
        const wasTriedRecently = clock.monotonic() - triedMs < RETRY_MS
        if (by === undefined && (!isDue(deps) || wasTriedRecently || running)) return nothingDue
        triedMs = clock.monotonic()
        const { name, bytes } = await make(by === undefined ? 'schedule' : 'person')
        return { key: 'job.backed_up', params: { name, mb: megabytes(bytes) } }
      },
    })
  const existing = (name: string): BackupFile => {
    const found = isBackupName(name) ? backupsIn(folder).find((one) => one.name === name) : undefined
    if (!found) throw refuse('missing', 'backup.missing')
    return found
  }
  return {
    list: () => backupsIn(folder),
    isRunning: () => running !== undefined,
    make,
    remove: (name) => void removeBackup(folder, existing(name).name),
    decided: () => decidedIn(folder),
    async restoreNext(name, by) {
      if (!deps.source) throw refuse('invalid', 'backup.postgres')
      if (running) throw refuse('invalid', 'backup.running')
      if (restoring) throw refuse('invalid', 'backup.restoring')
      const { file } = existing(name)
      const wanted = { folder, clock, vault, mayUpgrade: false, mayDiffer: false, by }
      restoring = prepareRestore(file, wanted).finally(() => {
        restoring = undefined
      })
      return restoring
    },
    keepDatabase() {
      if (restoring) throw refuse('invalid', 'backup.restoring')
      forgetRestore(folder)
    },
    keep,
    folder: join(folder, BACKUP_FOLDER),
    exportKey: (passphrase) => sealKey(dataKey, passphrase),
    async stop() {
      await job?.stop()
      await Promise.allSettled([running, restoring])
    },
  }
}

function decidedIn(folder: string): ReturnType<Backups['decided']> {
  try {
    return decidedRestore(folder) ?? null
  } catch (error) {
    if (error instanceof UnreadableMark) return 'unreadable'
    throw error
  }
}

async function makeBackup(
  deps: BackupDeps,
  { file, withoutCheckpoints }: BackupSource,
  by: BackupDescription['made_by'],
): Promise<BackupFile> {
  const { config, ledger, vault, clock, log, version } = deps
  const { DATA_DIR: folder, BACKUP_KEEP: keep } = config
  await ledger.flush()
  const made_at = unixSeconds(clock)
  const { name, part } = prepareBackup(folder, made_at)
  try {
    await requireFreeSpace(join(folder, BACKUP_FOLDER), file)
    closeSync(openSync(part, 'wx', 0o600))
    const { copyDatabase } = await import('../store/sqlite/copy-thread.ts')
    await withoutCheckpoints(() => copyDatabase(file, part))
    const { schema, differences } = await checkCopy(part, { clock, isThorough: false, mayUpgrade: false })
    const { size: bytes } = statSync(part)
    const sha256 = await sumOf(part)
    const description = { product: 'switchyard', kind: 'backup', version: 1, made_at, made_by: by } as const
    const serial = nextSerial(folder)
    const found = { release: version, schema, bytes, sha256, key_id: vault.keyId, differences }
    publishBackup(part, { ...description, serial, ...found })
  } catch (error) {
    discardPart(part)
    throw asRefusal(error)
  }
  if (by === 'schedule') removeOld(folder, name, keep)
  const [backup] = backupsIn(folder).filter((one) => one.name === name)
  if (!backup) throw refuse('internal', 'backup.missing')
  log.info('a backup was made', { name, bytes: backup.bytes, isVerified: backup.isVerified })
  if (!backup.isVerified) log.error('balances in a backup differ from their ledger', { name })
  return backup
}

/**
 * Deletes the oldest scheduled backups beyond `keep`, never the one named `newest` nor the last verified one; manual
 * backups stay until a user deletes them.
 */
function removeOld(folder: string, newest: string, keep: number): void {
  const lastVerified = newestVerified(folder)?.name
  const old = backupsIn(folder).filter(
    ({ name, description }) => name !== newest && description?.made_by === 'schedule',
  )
  for (const { name } of old.slice(keep - 1)) if (name !== lastVerified) removeBackup(folder, name)
}

function isDue({ config, clock }: BackupDeps): boolean {
  // A backup dated in the future, from a clock that was ahead, does not count as last night's.
  const newest = backupsIn(config.DATA_DIR).find(
    ({ description, madeAt }) => description !== undefined && madeAt <= unixSeconds(clock),
  )
  return (newest?.madeAt ?? 0) < lastNight(clock.now())
}

function asRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!/^(SQLITE_|E[A-Z]+$)/.test(code) || !(error instanceof Error)) return error
  return refuse('unavailable', 'backup.not_written', { said: error.message }, { cause: error })
}
