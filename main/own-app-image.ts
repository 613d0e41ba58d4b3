import { sep } from 'node:path'

/** What an AppImage's runtime sets. */
const OF_RUNTIME = ['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD']
/** Lists in front of which electron-builder's launcher (AppRun) puts folders of the mount. */
const LISTS = ['PATH', 'LD_LIBRARY_PATH', 'XDG_DATA_DIRS', 'GSETTINGS_SCHEMA_DIR']

/**
 * Takes out of an environment what the AppImage of this program has put there, so that a browser which it opens loads the libraries
 * of the system; returns the file of the AppImage, undefined where there is none. The program's own libraries are found all
 * the same: the loader reads the list once, at the start.
 */
export function leaveAppImage(environment: Record<string, string | undefined>, program: string): string | undefined {
  const file = ownAppImage(environment, program)
  const { APPDIR } = environment
  if (file === undefined || APPDIR === undefined) return undefined
  for (const name of OF_RUNTIME) delete environment[name]
  for (const name of LISTS) {
    const before = environment[name]?.split(':').filter((entry) => !isWithin(entry, APPDIR)) ?? []
    if (before.length > 0) environment[name] = before.join(':')
    else delete environment[name]
  }
  return file
}

/**
 * The file of the AppImage that this program runs from; undefined where it runs from none. A terminal inside another program's
 * AppImage hands that program's variables on: they are believed only where this one lies in the mount that they name.
 */
export function ownAppImage(
  { APPIMAGE, APPDIR }: Readonly<Record<string, string | undefined>>,
  program: string,
): string | undefined {
  return APPIMAGE && APPDIR && isWithin(program, APPDIR) ? APPIMAGE : undefined
}

const isWithin = (path: string, folder: string): boolean =>
  `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep)
