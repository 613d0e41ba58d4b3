import { accessSync, chmodSync, constants, copyFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFile } from '../../gateway/base/whole-file.ts'

const OWNER_RUNS = 0o100

/**
 * Replaces the running AppImage with a downloaded one, keeping its name and mode, so that links and autostart
 * continue to work. The file is complete at every moment, whatever fails. Throws file system errors.
 */
export function replaceAppImage(appImage: string, downloaded: string): void {
  const target = realpathSync(appImage)
  const temporary = `${target}.new`
  try {
    rmSync(temporary, { force: true })
    // The download may be on another disk, from which it cannot be renamed.
    copyFileSync(downloaded, temporary, constants.COPYFILE_EXCL)
    // Its owner must be able to run it.
    chmodSync(temporary, (statSync(target).mode & 0o7777) | OWNER_RUNS)
    syncFile(temporary)
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  rmSync(downloaded, { force: true })
}

/** Whether an AppImage can be replaced: its folder must be writable. */
export function isReplaceable(appImage: string): boolean {
  try {
    accessSync(dirname(realpathSync(appImage)), constants.W_OK | constants.X_OK)
    return true
  } catch {
    // Deleted, not accessible, or on a read-only disk.
    return false
  }
}
