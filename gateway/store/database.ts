import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { ownCommand } from '../base/own-command.ts'
import { storageFault } from '../base/storage-fault.ts'
import { publishFile } from '../base/whole-file.ts'
import { newestVerified } from './backup-files.ts'
import { compiledOnce } from './compiled-once.ts'
import { migrate, NewerSchema, schemaVersion, versionAfter } from './migrate.ts'
import type { Migration } from './migrations/column.ts'
import { migrations } from './migrations/index.ts'
import { finishRestore } from './restore-swap.ts'
import type { Schema } from './schema.ts'
import { openWriteAhead } from './write-ahead.ts'

export type Sqlite = Database.Database
export type Db = Kysely<Schema>

/** SQLite opened, as its ledger and its store alone know it (store.ts): connections that write, one after the other, and one that only reads what is committed. */
export interface OpenDatabase {
  readonly db: Db
  readonly writer: Sqlite
  readonly reader: Sqlite
  readonly file: string
  /**
   * Another connection that writes, within `exclusively` alone. What it commits is safe from the death of the process at
   * once; from a power cut once `synced` or a later commit of `db` says so.
   */
  readonly unsynced: Sqlite
  /** Runs synchronous work while no transaction of `db` is open. */
  exclusively<T>(work: () => T): Promise<T>
  /** Resolves once every commit so far is on the disk, without anybody waiting for that meanwhile (write-ahead.ts). */
  synced(): Promise<void>
  /** From now on no connection waits longer for another program's lock than streams may stand still. */
  waitBriefly(): void
  /** Runs work that takes secrets out of rows: what it overwrites stays neither in the file nor in the log beside it. */
  scrubbed<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The start cannot go on; `exitCode` and the one-line message are those of docs/reference/reliability.md#starting. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
  readonly exitCode: number
  constructor(exitCode: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

export const EXIT = { badConfig: 1, portInUse: 2, secondInstance: 3, badData: 4, fullDisk: 5 } as const
/** Throws what a start has failed with; that the disk is full in words of its own, with the one code that is worth another try. */
export const logFullDisk =
  (folder: string) =>
  (error: unknown): never => {
    if (storageFault(error) !== 'full') throw error
    throw new CannotStart(EXIT.fullDisk, `the disk of ${folder} is full; make room and start again`, error)
  }

/** Made by the ledger once the schema stands: where it is, a database that is missing or empty has lost its contents. */
export const LEDGER_JOURNAL = 'ledger.journal'
/** The database's name in the data folder. */
export const DATABASE_FILE = 'switchyard.db'
/** A command that only looks whether somebody has the folder is done by then. */
const LOCK_WAIT_MS = 250
/** Another program's lock is waited for so long: at a start, and while the event loop waits with it. */
const START_MS = 5000
const BRIEF_MS = 50
const QUICK_CHECK_LIMIT = 100 * 1024 * 1024

/**
 * Opens (and on first start makes) the database in `folder`, owner-only, one process at a time, migrated to the newest
 * schema after a backup. Throws `CannotStart` with exit code 3 for a second instance and 4 for data that cannot be
 * used; a damaged file is never touched or replaced.
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
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: compiledOnce(writer) }) })
    await upgrade(db, writer, file, { nowSeconds, steps })
    // Of its own: a connection that changes how it syncs compiles all its statements again.
    const unsynced = opened(openWriter(file))
    unsynced.pragma('synchronous = NORMAL')
    const reader = opened(new Database(file, { readonly: true, fileMustExist: true }))
    reader.pragma(`busy_timeout = ${START_MS}`)
    // Reading has made the write-ahead log, which stays one file until the last connection is closed.
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
  const usual = writer.pragma('secure_delete', { simple: true })
  writer.pragma('secure_delete = ON')
  try {
    return await work()
  } finally {
    writer.pragma(`secure_delete = ${usual}`)
    writer.pragma('wal_checkpoint(TRUNCATE)')
  }
}

/** Keeps every gateway off a folder, which is made where there is none, until `release`. Throws `CannotStart`. */
export function holdFolder(folder: string): Readonly<{ release(): void }> {
  prepareFolder(folder)
  const lock = lockFolder(folder)
  return { release: () => void lock.close() }
}

/** Puts a backup in the database's place that somebody has decided on (docs/reference/backup.md#the-swap). */
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

/** SQLite's own file lock: it goes with the process, so a kill leaves nothing stale. */
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

/** A folder that was in use never becomes a new installation, which anybody could set up. */
function refuseLoss(file: string): void {
  if (sizeOf(file) > 0 || !existsSync(join(dirname(file), LEDGER_JOURNAL))) return
  const why = `the database ${file} is missing or empty, but the folder was used before`
  throw new CannotStart(EXIT.badData, `${why}; ${wayBack(dirname(file))} or choose another folder`)
}

/** What to do where there is no database to start with: the newest backup that is good, and how it comes back. */
function wayBack(folder: string): string {
  const backup = newestVerified(folder)
  if (!backup) return 'restore a backup from the same folder (*.bak)'
  const made = new Date(backup.madeAt * 1000).toISOString()
  return `the newest verified backup is of ${made}: ${ownCommand()} restore ${backup.name} --data-dir ${folder}`
}

/** SQLite gives its side files the mode that the database has when it makes them. */
function makeOwnerOnly(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600))
    for (const part of [file, logOf(file), `${file}-shm`]) if (existsSync(part)) chmodSync(part, 0o600)
  } catch (cause) {
    throw new CannotStart(EXIT.badData, `the database ${file} cannot be written`, cause)
  }
}

/** Looks without changing a byte, so that a damaged file can still be mended by other means. */
function refuseDamage(file: string): void {
  const size = sizeOf(file)
  if (size === 0) return
  const header = bytesOf(file, 16).toString('latin1')
  if (header !== 'SQLite format 3\0' || !isLog(logOf(file))) throw damaged(file)
  if (size > QUICK_CHECK_LIMIT) return
  let found: unknown
  try {
    // A connection that may write would bring the write-ahead log into the file when it closes.
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

/** Whether a write-ahead log begins as one, or with the zeros a power cut leaves; SQLite ignores any other without a word. */
const isLog = (file: string): boolean => sizeOf(file) < 32 || LOG_MARKS.includes(bytesOf(file, 4).readUInt32BE())

function bytesOf(file: string, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, bytes, 0, length, 0)
  closeSync(descriptor)
  return bytes
}

const damaged = (file: string, cause?: unknown) =>
  new CannotStart(EXIT.badData, `the database ${file} is damaged; ${wayBack(dirname(file))}`, cause)

function openWriter(file: string): Sqlite {
  try {
    const writer = new Database(file)
    writer.pragma('journal_mode = WAL')
    writer.pragma('synchronous = FULL')
    writer.pragma('foreign_keys = ON')
    writer.pragma(`busy_timeout = ${START_MS}`)
    writer.pragma('wal_autocheckpoint = 1000')
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

/** A consistent copy through SQLite itself, which syncs none; it has its name only once it is whole and on the disk. */
function backUp(writer: Sqlite, target: string): void {
  if (existsSync(target)) return
  const part = `${target}.part`
  rmSync(part, { force: true })
  closeSync(openSync(part, 'wx', 0o600))
  writer.prepare('VACUUM INTO ?').run(part)
  publishFile(part, target)
}
