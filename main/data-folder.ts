import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE } from '../gateway/store/sqlite/database.ts'

/** The path functions of Electron's `app`. */
type PathFunctions = Readonly<{
  getPath(name: 'userData'): string
  setPath(name: 'userData' | 'sessionData', path: string): void
}>

/** The argument that names another folder for all data; Electron itself applies it. */
const CHOSEN = '--user-data-dir='

/** The subfolder of the browser's own files: cookies, caches. */
const BROWSER = 'Browser'

/**
 * Sets the data folder before anything is written, and returns it: the system's application data folder, on Windows the
 * local one, since a database must not roam with a profile. The browser's files are in a subfolder. An existing
 * database in the former location stays there, and a folder named in `args` is used as it is.
 */
export function setDataFolder(
  paths: PathFunctions,
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): string {
  const defaultFolder = paths.getPath('userData')
  const isChosen = args.some((word) => word.startsWith(CHOSEN))
  const local = platform === 'win32' && !isChosen ? environment.LOCALAPPDATA : undefined
  const folder = local && !existsSync(join(defaultFolder, DATABASE_FILE)) ? join(local, 'Switchyard') : defaultFolder
  if (folder !== defaultFolder) paths.setPath('userData', folder)
  paths.setPath('sessionData', join(folder, BROWSER))
  return folder
}
