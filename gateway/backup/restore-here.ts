import { type BackupFile, backupsIn } from '../store/backup-files.ts'
import { CannotStart, EXIT, holdFolder } from '../store/database.ts'
import { latestVersion } from '../store/migrate.ts'
import {
  type DecidedRestore,
  finishBegunRestore,
  finishRestore,
  isRestoreBegun,
  UnreadableMark,
} from '../store/restore-swap.ts'
import { prepareRestore, type RestoreDeps, readably } from './restore.ts'

/** The backups of a data folder that were found good when they were made, and that this release can read, the newest first. */
export const readableBackups = (folder: string): BackupFile[] =>
  backupsIn(folder).filter(
    ({ isVerified, description }) => isVerified && (description?.schema ?? Infinity) <= latestVersion,
  )

/**
 * Checks a backup and puts it in the place of the database at once, while no gateway has the folder
 * (docs/reference/backup.md#restore). Throws `CannotStart` (3) where one has, and what the backup is refused with.
 */
export async function restoreHere(file: string, deps: Omit<RestoreDeps, 'mayUpgrade'>): Promise<DecidedRestore> {
  const held = holdFolder(deps.folder)
  try {
    readably(() => finishBegunRestore(deps.folder))
    const decided = await prepareRestore(file, { ...deps, mayUpgrade: true })
    finishRestore(deps.folder)
    return decided
  } finally {
    held.release()
  }
}

/**
 * Ends a swap that a kill has ended in its middle, before anything looks for the database or its key; no other decision is
 * carried out. Throws `CannotStart`: 3 where somebody has the folder, 4 where the decision cannot be read.
 */
export function goOnWithRestore(folder: string): void {
  try {
    if (!isRestoreBegun(folder)) return
    const held = holdFolder(folder)
    try {
      finishBegunRestore(folder)
    } finally {
      held.release()
    }
  } catch (cause) {
    throw cause instanceof UnreadableMark ? new CannotStart(EXIT.badData, cause.message, cause) : cause
  }
}
