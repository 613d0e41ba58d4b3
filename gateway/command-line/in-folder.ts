import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { goOnWithRestore } from '../backup/restore-here.ts'
import { silentLogger } from '../base/log/logger.ts'
import { openStorage } from '../composition/storage.ts'
import type { Config } from '../config.ts'
import { DATABASE_FILE, type Db, holdFolder } from '../store/sqlite/database.ts'
import { type CommandDeps, ENDS, failure } from './command.ts'

/**
 * Opens the database of a stopped gateway for `work`, which uses its own transactions. Throws `CannotStart`: 3 while a
 * gateway uses the folder, 4 if the folder has no database.
 */
export async function withDatabase<T>({ config, clock }: CommandDeps, work: (db: Db) => Promise<T>): Promise<T> {
  requireDatabase(config)
  const { store } = await openStorage(config, clock, silentLogger)
  try {
    return await work(store.db)
  } finally {
    await store.close()
  }
}

/**
 * Throws `CannotStart` (4) if a folder has no database although it needs one; with `DATABASE_URL` it needs none.
 * Completes an interrupted restore first, because it may have left the folder without a database file.
 */
export function requireDatabase({ DATA_DIR: folder, DATABASE_URL: url }: Config): void {
  if (url !== '') return
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
