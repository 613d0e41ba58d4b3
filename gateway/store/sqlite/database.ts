import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { ownCommand } from '../../base/own-command.ts'
import { storageFault } from '../../base/storage-fault.ts'
import { publishFile } from '../../base/whole-file.ts'
import type { Migration } from '../migrations/column.ts'
import { migrations } from '../migrations/index.ts'
import type { Schema } from '../schema/schema.ts'
import { newestVerified } from './backup-files.ts'
import { migrate, NewerSchema, schemaVersion, versionAfter } from './migrate.ts'
import { finishRestore } from './restore-swap.ts'
import { cachedStatements } from './statement-cache.ts'
import { openWriteAhead } from './write-ahead.ts'

export type Sqlite = Database.Database
export type Db = Kysely<Schema>

/**
 * An open SQLite database, for the ledger and the store only (store.ts): connections that write, one after the other,
 * and one that reads only committed data.
 */
export interface OpenDatabase {
  readonly db: Db
  readonly writer: Sqlite
  readonly reader: Sqlite
  readonly file: string
  /**
   * A second connection that writes, only within `exclusively`. Its commits survive a crash of the process at once, and
   * a power cut after `synced` or a later commit on `db`.
   */
  readonly unsynced: Sqlite
  /** Runs synchronous work while no transaction of `db` is open. */
  exclusively<T>(work: () => T): Promise<T>
  /** Resolves once every commit so far is on disk, without blocking other work meanwhile (write-ahead.ts). */
  synced(): Promise<void>
  /** From now on no connection waits longer than 50 ms for another program's lock, so that streams do not stall. */
  waitBriefly(): void
  /**
   * Runs work that removes secrets from rows: the overwritten bytes stay neither in the file nor in the write-ahead
   * log.
   */
  scrubbed<T>(work: () => Promise<T>): Promise<T>
  /**
   * Runs a long read of another thread, which prevents checkpoints. Without this, the first commit after the read would
   * copy everything written meanwhile into the database, and block the event loop. The other thread does that instead.
   */
  withoutCheckpoints<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The gateway cannot start; `exitCode` and the one-line message are those of docs/reference/reliability.md#starting.
 */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
  readonly exitCode: number
  constructor(exitCode: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

export const EXIT = { badConfig: 1, portInUse: 2, secondInstance: 3, badData: 4, fullDisk: 5 } as const
/** Rethrows a startup error. A full disk gets its own message and the only exit code that is worth retrying. */
export const logFullDisk =
  (folder: string) =>
  (error: unknown): never => {
    if (storageFault(error) !== 'full') throw error
    throw new CannotStart(EXIT.fullDisk, `the disk of ${folder} is full; make room and start again`, error)
  }

/**
 * Created by the ledger once the schema exists. If this file is there, a missing or empty database has lost its
 * contents.
 */
export const LEDGER_JOURNAL = 'ledger.journal'
export const DATABASE_FILE = 'switchyard.db'
/** How long to wait for the folder's lock: a command that only checks whether the folder is in use must end soon. */
const LOCK_WAIT_MS = 250
/** How long to wait for another program's lock: during startup, and later, when waiting blocks the event loop. */
const START_MS = 5000
const BRIEF_MS = 50
/** Size of the write-ahead log, in pages, after which a commit copies it into the database. */
const CHECKPOINT_PAGES = 1000
const QUICK_CHECK_LIMIT = 100 * 1024 * 1024

/**
 * Opens the database in `folder`, creating it on first start: accessible only to its owner, one process at a time,
 * migrated to the newest schema after a backup. Throws `CannotStart` with exit code 3 for a second instance and 4 for
 * unusable data; a damaged file is never changed or replaced.
 */
export async function openDatabase(
  folder: string,
  nowSeconds: number,
  steps: readonly Migration[] = migrations,
): Promise<OpenDatabase> {
  prepareFolder(folder)
  const lock = lockFolder(folder)
  const file = join(folder, DATABASE_FILE)
  const connections: Sqlite[] = []
  const opened = (connection: Sqlite): Sqlite => {
    connections.push(connection)
    return connection
  }
  try {
    restoreDecided(folder, file)
    refuseLoss(file)
    makeOwnerOnly(file)
    refuseDamage(file)
    const writer = opened(openWriter(file))
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: cachedStatements(writer) }) })
    await upgrade(db, writer, file, { nowSeconds, steps })
    // A separate connection, because changing `synchronous` recompiles all statements of a connection.
    const unsynced = opened(openWriter(file))
    unsynced.pragma('synchronous = NORMAL')
    const reader = opened(new Database(file, { readonly: true, fileMustExist: true }))
    reader.pragma(`busy_timeout = ${START_MS}`)
    // This read creates the write-ahead log, which stays the same file until the last connection is closed.
    reader.pragma('schema_version')
    const exclusively = <T>(work: () => T): Promise<T> => db.connection().execute(async () => work())
    const writeAhead = openWriteAhead({ file: logOf(file), exclusively })
    return {
      db,
      writer,
      reader,
      file,
      unsynced,
      exclusively,
      synced: writeAhead.synced,
      waitBriefly() {
        for (const connection of connections) connection.pragma(`busy_timeout = ${BRIEF_MS}`)
      },
      scrubbed: (work) => scrubbed(writer, work),
      withoutCheckpoints: (work) => withoutCheckpoints([writer, unsynced], work),
      async close() {
        writeAhead.close()
        reader.close()
        unsynced.close()
        await db.destroy()
        lock.close()
      },
    }
  } catch (error) {
    for (const connection of connections) connection.close()
    lock.close()
    throw error
  }
}

async function scrubbed<T>(writer: Sqlite, work: () => Promise<T>): Promise<T> {
  const previous = writer.pragma('secure_delete', { simple: true })
  writer.pragma('secure_delete = ON')
  try {
    return await work()
  } finally {
    writer.pragma(`secure_delete = ${previous}`)
    writer.pragma('wal_checkpoint(TRUNCATE)')
  }
}

async function withoutCheckpoints<T>(writers: readonly Sqlite[], work: () => Promise<T>): Promise<T> {
  const setTo = (pages: number) => writers.forEach((writer) => void writer.pragma(`wal_autocheckpoint = ${pages}`))
  setTo(0)
  try {
    return await work()
  } finally {
    setTo(CHECKPOINT_PAGES)
  }
}

/** Locks a folder against every gateway until `release`, creating it if it does not exist. Throws `CannotStart`. */
export function holdFolder(folder: string): Readonly<{ release(): void }> {
  prepareFolder(folder)
  const lock = lockFolder(folder)
  return { release: () => void lock.close() }
}

/** Finishes a decided restore (docs/reference/backup.md#the-swap). Throws `CannotStart`. */
function restoreDecided(folder: string, file: string): void {
  try {
    const restored = finishRestore(folder)
    if (restored && !existsSync(file)) throw new Error(`the backup ${restored.from} that was to be restored is gone`)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CannotStart(EXIT.badData, `the restore in ${folder} cannot be finished: ${why}`, cause)
  }
}

function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const probe = new Database(join(folder, 'lock.db'))
    probe.close()
    chmodSync(join(folder, 'lock.db'), 0o600)
  } catch (cause) {
    throw new CannotStart(EXIT.badData, `the data folder ${folder} cannot be written`, cause)
  }
}

/** Uses SQLite's file lock, which ends with the process, so a kill leaves no stale lock. */
function lockFolder(folder: string): Sqlite {
  const lock = new Database(join(folder, 'lock.db'), { timeout: LOCK_WAIT_MS })
  try {
    lock.pragma('journal_mode = DELETE')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock.close()
    throw new CannotStart(EXIT.secondInstance, `another Switchyard is already using the data folder ${folder}`, cause)
  }
}

const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0)

/** Prevents a used folder from becoming a new installation, which anyone could set up. */
function refuseLoss(file: string): void {
  if (sizeOf(file) > 0 || !existsSync(join(dirname(file), LEDGER_JOURNAL))) return
  const why = `the database ${file} is missing or empty, but the folder was used before`
  throw new CannotStart(EXIT.badData, `${why}; ${recoveryHint(dirname(file))} or choose another folder`)
}

/** How to recover without a database: the newest verified backup and the command that restores it. */
function recoveryHint(folder: string): string {
  const backup = newestVerified(folder)
  if (!backup) return 'restore a backup from the same folder (*.bak)'
  const made = new Date(backup.madeAt * 1000).toISOString()
  return `the newest verified backup is of ${made}: ${ownCommand()} restore ${backup.name} --data-dir ${folder}`
}

/** SQLite creates its side files with the mode of the database file. */
function makeOwnerOnly(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600))
    for (const part of [file, logOf(file), `${file}-shm`]) if (existsSync(part)) chmodSync(part, 0o600)
  } catch (cause) {
    throw new CannotStart(EXIT.badData, `the database ${file} cannot be written`, cause)
  }
}

/** Checks without changing the file, so that a damaged file can still be repaired by other means. */
function refuseDamage(file: string): void {
  const size = sizeOf(file)
  if (size === 0) return
  const header = bytesOf(file, 16).toString('latin1')
  if (header !== 'SQLite format 3\0' || !isLog(logOf(file))) throw damaged(file)
  if (size > QUICK_CHECK_LIMIT) return
  let found: unknown
  try {
    // A connection that may write would checkpoint the write-ahead log into the file when it closes.
    const check = new Database(file, { readonly: true, fileMustExist: true })
    try {
      found = check.pragma('quick_check(1)', { simple: true })
    } finally {
      check.close()
    }
  } catch (cause) {
    throw damaged(file, cause)
  }
  if (found !== 'ok') throw damaged(file)
}

const logOf = (file: string) => `${file}-wal`
const LOG_MARKS = [0, 0x377f0682, 0x377f0683]

/**
 * Returns whether a write-ahead log is shorter than its header, or starts with a valid magic number or with the zeros
 * that a power cut leaves. SQLite silently ignores any other log.
 */
const isLog = (file: string): boolean => sizeOf(file) < 32 || LOG_MARKS.includes(bytesOf(file, 4).readUInt32BE())

function bytesOf(file: string, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, bytes, 0, length, 0)
  closeSync(descriptor)
  return bytes
}

const damaged = (file: string, cause?: unknown) =>
  new CannotStart(EXIT.badData, `the database ${file} is damaged; ${recoveryHint(dirname(file))}`, cause)

function openWriter(file: string): Sqlite {
  try {
    const writer = new Database(file)
    writer.pragma('journal_mode = WAL')
    writer.pragma('synchronous = FULL')
    writer.pragma('foreign_keys = ON')
    writer.pragma(`busy_timeout = ${START_MS}`)
    writer.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    writer.pragma('trusted_schema = OFF')
    return writer
  } catch (cause) {
    throw new CannotStart(EXIT.badData, `the database ${file} cannot be opened`, cause)
  }
}

type Upgrade = Readonly<{ nowSeconds: number; steps: readonly Migration[] }>

async function upgrade(db: Db, writer: Sqlite, file: string, { nowSeconds, steps }: Upgrade): Promise<void> {
  try {
    const version = await schemaVersion(db)
    if (version > 0 && version < versionAfter(steps)) backUp(writer, `${file}.v${version}.bak`)
    await migrate(db, 'sqlite', nowSeconds, steps)
  } catch (cause) {
    if (cause instanceof NewerSchema) throw new CannotStart(EXIT.badData, `${cause.message}: ${file}`, cause)
    if (storageFault(cause) === 'locked')
      throw new CannotStart(
        EXIT.badData,
        `another program has locked the database ${file}; end it and start again`,
        cause,
      )
    throw new CannotStart(EXIT.badData, `the database ${file} could not be migrated`, cause)
  }
}

/**
 * Makes a consistent copy with `VACUUM INTO`, which does not sync. The copy gets its final name, in place of an older
 * one, only once it is complete and on disk.
 */
function backUp(writer: Sqlite, target: string): void {
  const part = `${target}.part`
  rmSync(part, { force: true })
  closeSync(openSync(part, 'wx', 0o600))
  writer.prepare('VACUUM INTO ?').run(part)
  publishFile(part, target)
}
