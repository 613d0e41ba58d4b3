import { type BackupFile, backupsIn } from '../store/backup-files.ts'
import { holdFolder } from '../store/database.ts'
import { latestVersion } from '../store/migrate.ts'
import { type DecidedRestore, finishBegunRestore, finishRestore } from '../store/restore-swap.ts'
import { prepareRestore, type RestoreDeps } from './restore.ts'

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
    finishBegunRestore(deps.folder)
    const decided = await prepareRestore(file, { ...deps, mayUpgrade: true })
    finishRestore(deps.folder)
    return decided
  } finally {
    held.release()
  }
}
