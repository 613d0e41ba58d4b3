import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs'
import { syncFile } from '../../gateway/base/whole-file.ts'

/**
 * Puts a downloaded AppImage in the place of the one that runs, under the name it has: links to it and the start at login go on.
 * At every moment there is a whole one, whatever fails. Throws what the disk throws.
 */
export function replaceAppImage(appImage: string, downloaded: string): void {
  const beside = `${appImage}.new`
  try {
    // It may come from another disk, where it cannot be renamed from.
    copyFileSync(downloaded, beside)
    chmodSync(beside, 0o755)
    syncFile(beside)
    renameSync(beside, appImage)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  rmSync(downloaded, { force: true })
}
