import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../base/log/logger.ts'
import { replaceFile } from '../base/whole-file.ts'

/** The file of the data folder that holds the link of the first setup while that is not done. */
export const SETUP_LINK_FILE = 'setup-link'

type SetupLinkDeps = Readonly<{
  /** The data folder. */
  folder: string
  log: Pick<Logger, 'warn'>
}>

/**
 * Keeps the link of the first setup where only the owner of this machine's account can read it: mode 0600, whole at every
 * moment, gone for null. A file that cannot be written or removed is logged and stops nothing: the link is printed too,
 * and the code of an old one is worth nothing.
 */
export function keepSetupLink({ folder, log }: SetupLinkDeps, link: string | null): void {
  const file = join(folder, SETUP_LINK_FILE)
  try {
    // A part that somebody else left would keep its own mode.
    rmSync(`${file}.part`, { force: true })
    if (link === null) rmSync(file, { force: true })
    else replaceFile(file, `${link}\n`)
  } catch (error) {
    log.warn('the file with the setup link could not be brought up to date', { file: SETUP_LINK_FILE, error })
  }
}
