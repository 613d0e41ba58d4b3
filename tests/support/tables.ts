import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_FILE, openDatabase } from '../../gateway/store/sqlite/database.ts'

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
