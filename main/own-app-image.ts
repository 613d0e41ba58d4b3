import { sep } from 'node:path'

/**
 * The file of the AppImage that this program runs from; undefined where it runs from none. A terminal inside another program's
 * AppImage hands that program's variables on: they are believed only where this one lies in the mount that they name.
 */
export function ownAppImage(
  { APPIMAGE, APPDIR }: Readonly<Record<string, string | undefined>>,
  program: string,
): string | undefined {
  if (!APPIMAGE || !APPDIR) return undefined
  return program.startsWith(APPDIR.endsWith(sep) ? APPDIR : APPDIR + sep) ? APPIMAGE : undefined
}
