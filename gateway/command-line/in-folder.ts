import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { goOnWithRestore } from '../backup/restore-here.ts'
import { unixSeconds } from '../base/clock.ts'
import { DATABASE_FILE, type Db, holdFolder, openDatabase } from '../store/sqlite/database.ts'
import { type CommandDeps, ENDS, failure } from './command.ts'

/**
 * Opens the database of a stopped gateway for `work`, which uses its own transactions. Throws `CannotStart`: 3 while a
 * gateway uses it, 4 if there is none.
 */
export async function withDatabase<T>({ config, clock }: CommandDeps, work: (db: Db) => Promise<T>): Promise<T> {
  requireDatabase(config.DATA_DIR)
  const database = await openDatabase(config.DATA_DIR, unixSeconds(clock))
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

/**
 * Throws `CannotStart` (4) if a folder has no database. Completes an interrupted restore first, since the database may
 * then be in neither location.
 */
export function requireDatabase(folder: string): void {
  goOnWithRestore(folder)
  if (!existsSync(join(folder, DATABASE_FILE)))
    throw failure(`no Switchyard database was found in ${folder}`, ENDS.badData)
}

export function isInUse(folder: string): boolean {
  if (!existsSync(join(folder, 'lock.db'))) return false
  try {
    holdFolder(folder).release()
    return false
  } catch (error) {
    if (error instanceof Error && 'exitCode' in error && error.exitCode === ENDS.inUse) return true
    throw error
  }
}
