import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import { openLedger } from '../billing/sqlite-ledger.ts'
import { DATABASE_FILE, holdFolder, LEDGER_JOURNAL, openDatabase } from '../store/sqlite/database.ts'
import { readOnly } from '../store/sqlite/read-only.ts'
import { type MoveSide, type ReadSide, refusal } from './move-side.ts'

export type SideDeps = Readonly<{ clock: Clock; log: Logger }>

/**
 * Opens the database of a data folder, creating an empty one if it does not exist, and writes the charges of its
 * journals. Throws `CannotStart`.
 */
export async function openSqliteSide(folder: string, { clock, log }: SideDeps): Promise<MoveSide> {
  const database = await openDatabase(folder, unixSeconds(clock))
  try {
    if (existsSync(join(folder, LEDGER_JOURNAL))) {
      const ledger = await openLedger({ database, folder, clock, log, show: String })
      await ledger.close()
    }
    return { db: database.db, location: folder, refuseUse: async () => {}, close: database.close }
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Opens the database of a data folder without changing it; no gateway can use the folder until `close`. Throws
 * `CannotStart`.
 */
export function readSqlite(folder: string): ReadSide {
  const lock = holdFolder(folder)
  const db = readOnly(join(folder, DATABASE_FILE))
  return {
    db,
    location: folder,
    async close() {
      await db.destroy()
      lock.release()
    },
  }
}

/** Throws `CannotStart` if a folder has files other than a lock and those of a database. */
export function refuseOtherFolder(folder: string): void {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const isNew = files.every((name) => name === 'lock.db' || name.startsWith(DATABASE_FILE))
  if (!isNew && !existsSync(join(folder, DATABASE_FILE))) throw refusal(`the folder ${folder} is not empty`)
}
