import { type BackupFile, backupsIn } from '../store/sqlite/backup-files.ts'
import { CannotStart, EXIT, holdFolder } from '../store/sqlite/database.ts'
import { latestVersion } from '../store/sqlite/migrate.ts'
import {
  type DecidedRestore,
  finishRestore,
  finishStartedRestore,
  isRestoreStarted,
  UnreadableMark,
} from '../store/sqlite/restore-swap.ts'
import { prepareRestore, type RestoreDeps, readably } from './restore.ts'

/** Backups of a data folder that were verified when they were made and that this release can read, the newest first. */
export const readableBackups = (folder: string): BackupFile[] =>
  backupsIn(folder).filter(
    ({ isVerified, description }) => isVerified && (description?.schema ?? Infinity) <= latestVersion,
  )

/**
 * Checks a backup and immediately puts it in place of the database, while no gateway uses the folder
 * (docs/reference/backup.md#restore). Throws `CannotStart` (3) if one does, and the refusals of `prepareRestore`.
 */
export async function restoreHere(file: string, deps: Omit<RestoreDeps, 'mayUpgrade'>): Promise<DecidedRestore> {
  const lock = holdFolder(deps.folder)
  try {
    readably(() => finishStartedRestore(deps.folder))
    const decided = await prepareRestore(file, { ...deps, mayUpgrade: true })
    finishRestore(deps.folder)
    return decided
  } finally {
    lock.release()
  }
}

/**
 * Finishes an interrupted swap before anything looks for the database or its key; carries out no other decision. Throws
 * `CannotStart`: 3 if the folder is in use, 4 if the decision cannot be read.
 */
export function goOnWithRestore(folder: string): void {
  try {
    if (!isRestoreStarted(folder)) return
    const lock = holdFolder(folder)
    try {
      finishStartedRestore(folder)
    } finally {
      lock.release()
    }
  } catch (cause) {
    throw cause instanceof UnreadableMark ? new CannotStart(EXIT.badData, cause.message, cause) : cause
  }
}
