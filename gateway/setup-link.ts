import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from './base/logger.ts'

/** The file of the data folder that holds the link of the first setup while that is not done. */
export const SETUP_LINK_FILE = 'setup-link'

export type SetupLinkDeps = Readonly<{
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
  const part = `${file}.part`
  try {
    rmSync(part, { force: true })
    if (link === null) rmSync(file, { force: true })
    else replace(file, part, `${link}\n`)
  } catch (error) {
    log.warn('the file with the setup link could not be brought up to date', { file: SETUP_LINK_FILE, error })
  }
}

/** Refuses a part that is there already, whose mode would be somebody else's choice. */
function replace(file: string, part: string, text: string): void {
  const descriptor = openSync(part, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(part, file)
}
