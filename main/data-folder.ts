import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE } from '../gateway/store/database.ts'

/** What of Electron's `app` says where things lie. */
export type Places = Readonly<{
  getPath(name: 'userData'): string
  setPath(name: 'userData' | 'sessionData', path: string): void
}>

/** How a person names another folder for all that the program remembers; Electron takes it by itself. */
const CHOSEN = '--user-data-dir='

/** The folder of the browser's own files within the program's: cookies of the window, caches. */
const BROWSER = 'Browser'

/**
 * Decides where the program keeps its things, before anything is written, and answers that folder: the system's place for
 * programs, on Windows the one of this machine, since a database must not travel between machines with a profile. The
 * browser's own files lie in a folder of their own within it. Who has a database in the old place stays there, and so does who
 * has named a folder among the `words` of the start.
 */
export function placeData(
  places: Places,
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
  words: readonly string[],
): string {
  const usual = places.getPath('userData')
  const isChosen = words.some((word) => word.startsWith(CHOSEN))
  const local = platform === 'win32' && !isChosen ? environment.LOCALAPPDATA : undefined
  const folder = local && !existsSync(join(usual, DATABASE_FILE)) ? join(local, 'Switchyard') : usual
  if (folder !== usual) places.setPath('userData', folder)
  places.setPath('sessionData', join(folder, BROWSER))
  return folder
}
