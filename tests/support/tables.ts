import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_FILE, openDatabase } from '../../gateway/store/sqlite/database.ts'

let made: Promise<Buffer> | undefined

/**
 * Puts a database with all its tables and nothing in them into a data folder. Making them is half of what the start of a
 * gateway takes, so it is done once a process; tests/process starts gateways on folders that are empty.
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
