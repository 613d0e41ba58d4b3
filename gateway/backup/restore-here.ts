import { holdFolder } from '../store/database.ts'
import { type DecidedRestore, finishBegunRestore, finishRestore } from '../store/restore-swap.ts'
import { prepareRestore, type RestoreDeps } from './restore.ts'

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
