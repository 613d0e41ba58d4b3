import { sep } from 'node:path'

const OF_RUNTIME = ['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD']
/** Path lists, to which electron-builder's launcher (AppRun) prepends folders of the mounted AppImage. */
const LISTS = ['PATH', 'LD_LIBRARY_PATH', 'XDG_DATA_DIRS', 'GSETTINGS_SCHEMA_DIR']

/**
 * Removes what this program's AppImage has added to the environment, so that a browser that this program opens loads
 * the system's libraries. Returns the AppImage's file, or undefined if there is none. The program's own libraries are
 * still found, because the loader reads LD_LIBRARY_PATH only once, at startup.
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
 * The AppImage file of this program, or undefined. A terminal inside another program's AppImage passes on that
 * program's variables, so they are used only if this program is in the mount they name.
 */
export function ownAppImage(
  { APPIMAGE, APPDIR }: Readonly<Record<string, string | undefined>>,
  program: string,
): string | undefined {
  return APPIMAGE && APPDIR && isWithin(program, APPDIR) ? APPIMAGE : undefined
}

const isWithin = (path: string, folder: string): boolean =>
  `${path}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep)
