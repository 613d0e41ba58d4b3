import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../base/log/logger.ts'
import { replaceFile } from '../base/whole-file.ts'

/** File in the data folder with the link of the first setup, until that is done. */
export const SETUP_LINK_FILE = 'setup-link'

type SetupLinkDeps = Readonly<{
  folder: string
  log: Pick<Logger, 'warn'>
}>

/**
 * Stores the link of the first setup so that only this machine's account can read it: mode 0600, replaced atomically,
 * deleted for null. Failures are only logged: the link is printed too, and the code of an old one is invalid.
 */
export function keepSetupLink({ folder, log }: SetupLinkDeps, link: string | null): void {
  const file = join(folder, SETUP_LINK_FILE)
  try {
    // A partial file from elsewhere would keep its mode.
    rmSync(`${file}.part`, { force: true })
    if (link === null) rmSync(file, { force: true })
    else replaceFile(file, `${link}\n`)
  } catch (error) {
    log.warn('the file with the setup link could not be brought up to date', { file: SETUP_LINK_FILE, error })
  }
}
