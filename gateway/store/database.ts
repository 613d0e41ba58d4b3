import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { latestVersion, migrate, NewerSchema, schemaVersion } from './migrate.ts'
import type { Schema } from './schema.ts'

export type Sqlite = Database.Database
export type Db = Kysely<Schema>

/** The open database: one connection that writes, one that only reads what is committed. */
export interface OpenDatabase {
  readonly db: Db
  readonly writer: Sqlite
  readonly reader: Sqlite
  readonly file: string
  /** Runs synchronous work on the writing connection while no transaction of `db` is open. */
  exclusively<T>(work: () => T): Promise<T>
  close(): Promise<void>
}

/** The start cannot go on; `exitCode` and the one-line message are those of reliability-security.md §5. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
  readonly exitCode: number
  constructor(exitCode: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

export const EXIT = { badConfig: 1, portInUse: 2, secondInstance: 3, badData: 4 } as const
const FILE = 'switchyard.db'
const QUICK_CHECK_LIMIT = 100 * 1024 * 1024

/**
 * Opens (and on first start makes) the database in `folder`, owner-only, one process at a time, migrated to the newest
 * schema after a backup. Throws `CannotStart` with exit code 3 for a second instance and 4 for data that cannot be
 * used; a damaged file is never touched or replaced.
 */
export async function openDatabase(folder: string, nowSeconds: number): Promise<OpenDatabase> {
  prepareFolder(folder)
  const lock = lockFolder(folder)
  try {
    const file = join(folder, FILE)
    refuseDamage(file)
    const writer = openWriter(file)
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: writer }) })
    await upgrade(db, writer, file, nowSeconds)
    const reader = new Database(file, { readonly: true, fileMustExist: true })
    reader.pragma('busy_timeout = 5000')
    chmodSync(file, 0o600)
    return {
      db,
      writer,
      reader,
      file,
      exclusively: (work) => db.connection().execute(async () => work()),
      async close() {
        reader.close()
        await db.destroy()
        lock.close()
      },
    }
  } catch (error) {
    lock.close()
    throw error
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
  const lock = new Database(join(folder, 'lock.db'), { timeout: 0 })
  try {
    lock.pragma('journal_mode = DELETE')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock.close()
    throw new CannotStart(EXIT.secondInstance, `another Switchyard is already using the data folder ${folder}`, cause)
  }
}

function refuseDamage(file: string): void {
  if (!existsSync(file)) return
  const size = statSync(file).size
  if (size > 0 && !headerOf(file).startsWith('SQLite format 3\0')) throw damaged(file)
  if (size === 0 || size > QUICK_CHECK_LIMIT) return
  let found: unknown
  try {
    const check = new Database(file, { fileMustExist: true })
    found = check.pragma('quick_check(1)', { simple: true })
    check.close()
  } catch (cause) {
    throw damaged(file, cause)
  }
  if (found !== 'ok') throw damaged(file)
}

function headerOf(file: string): string {
  const bytes = Buffer.alloc(16)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, bytes, 0, 16, 0)
  closeSync(descriptor)
  return bytes.toString('latin1')
}

const damaged = (file: string, cause?: unknown) =>
  new CannotStart(EXIT.badData, `the database ${file} is damaged; restore a backup from the same folder (*.bak)`, cause)

function openWriter(file: string): Sqlite {
  try {
    const writer = new Database(file)
    writer.pragma('journal_mode = WAL')
    writer.pragma('synchronous = FULL')
    writer.pragma('foreign_keys = ON')
    writer.pragma('busy_timeout = 5000')
    writer.pragma('wal_autocheckpoint = 1000')
    writer.pragma('trusted_schema = OFF')
    return writer
  } catch (cause) {
    throw new CannotStart(EXIT.badData, `the database ${file} cannot be opened`, cause)
  }
}

async function upgrade(db: Db, writer: Sqlite, file: string, nowSeconds: number): Promise<void> {
  try {
    const version = await schemaVersion(db)
    if (version > 0 && version < latestVersion) backUp(writer, `${file}.v${version}.bak`)
    await migrate(db, 'sqlite', nowSeconds)
  } catch (cause) {
    if (cause instanceof NewerSchema) throw new CannotStart(EXIT.badData, `${cause.message}: ${file}`, cause)
    throw new CannotStart(EXIT.badData, `the database ${file} could not be migrated`, cause)
  }
}

/** A consistent copy through SQLite itself, never by copying files; an older backup of the same version is kept. */
function backUp(writer: Sqlite, target: string): void {
  if (existsSync(target)) return
  writer.prepare('VACUUM INTO ?').run(target)
  chmodSync(target, 0o600)
}
