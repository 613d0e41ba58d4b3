import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '../../gateway/base/log/logger.ts'
import { migrateOnce } from '../../gateway/store/postgres/migrate-once.ts'
import { DATABASE_FILE, openDatabase } from '../../gateway/store/sqlite/database.ts'
import { createDatabase, databaseName } from './postgres-server.ts'

let made: Promise<Buffer> | undefined

/**
 * Puts an empty database with all tables into a data folder. Creating the tables is half of a gateway's start-up time,
 * so it is done once per process; tests/process covers starts on empty folders.
 */
export async function layTables(folder: string): Promise<void> {
  made ??= makeTables()
  await writeFile(join(folder, DATABASE_FILE), await made)
}

async function makeTables(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-tables-'))
  const database = await openDatabase(folder, 1_700_000_000)
  await database.close()
  const bytes = await readFile(join(folder, DATABASE_FILE))
  await rm(folder, { recursive: true })
  return bytes
}

/** Process settings for a test of SQLite's files, plans and locks, in a run of tests on PostgreSQL. */
export const SQLITE = { DATABASE_URL: '' } as const

let template: Promise<string> | undefined

/** An empty database with all tables, a copy of one that is made once per process. */
export async function aPostgresDatabase(server: string): Promise<string> {
  template ??= makeTemplate(server)
  return createDatabase(server, await template)
}

async function makeTemplate(server: string): Promise<string> {
  const name = databaseName()
  const address = await createDatabase(server, 'template0', name)
  await migrateOnce(address, 1_700_000_000, silentLogger)
  return name
}
