import { accessSync, chmodSync, constants, copyFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFile } from '../../gateway/base/whole-file.ts'

const OWNER_RUNS = 0o100

/**
 * Puts a downloaded AppImage in the place of the one that runs, under the name and with the mode it has: links to it and the start
 * at login go on. At every moment there is a whole one, whatever fails. Throws what the disk throws.
 */
export function replaceAppImage(appImage: string, downloaded: string): void {
  const place = realpathSync(appImage)
  const beside = `${place}.new`
  try {
    rmSync(beside, { force: true })
    // It may come from another disk, where it cannot be renamed from.
    copyFileSync(downloaded, beside, constants.COPYFILE_EXCL)
    // Whoever starts it again must be able to.
    chmodSync(beside, (statSync(place).mode & 0o7777) | OWNER_RUNS)
    syncFile(beside)
    renameSync(beside, place)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  rmSync(downloaded, { force: true })
}

/** Whether another may be put in the place of an AppImage: its folder takes new files. */
export function isReplaceable(appImage: string): boolean {
  try {
    accessSync(dirname(realpathSync(appImage)), constants.W_OK | constants.X_OK)
    return true
  } catch {
    // Gone, closed to this account, or on a disk that is only read.
    return false
  }
}
