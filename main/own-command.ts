import { join, win32 } from 'node:path'

/** The link that a deb or an rpm makes. */
const ON_THE_PATH = '/usr/bin/switchyard'

export type Installation = Readonly<{
  platform: NodeJS.Platform
  /** The AppImage that the program runs from; undefined where it runs from none. */
  appImage: string | undefined
  /** The package's own folder of resources. */
  resources: string
  isThere: (path: string) => boolean
}>

/**
 * How a person calls the command line of this desktop program in a shell (docs/reference/command-line.md#of-a-desktop-package),
 * quoted for the shell of its system.
 */
export function ownCommand({ platform, appImage, resources, isThere }: Installation): string {
  if (platform === 'win32') return `"${win32.join(resources, 'switchyard.cmd')}"`
  if (appImage !== undefined) return `${quoted(appImage)} --command-line --`
  if (platform === 'linux' && isThere(ON_THE_PATH)) return 'switchyard'
  return quoted(join(resources, 'switchyard'))
}

const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)
