import { join, win32 } from 'node:path'

/** The link created by deb and rpm packages. */
const ON_THE_PATH = '/usr/bin/switchyard'

export type Installation = Readonly<{
  platform: NodeJS.Platform
  /** The AppImage of this program; undefined if there is none. */
  appImage: string | undefined
  resources: string
  isThere: (path: string) => boolean
}>

/**
 * The shell command for this desktop program's command line (docs/reference/command-line.md#desktop-packages),
 * quoted for the system's shell.
 */
export function ownCommand({ platform, appImage, resources, isThere }: Installation): string {
  if (platform === 'win32') return `"${win32.join(resources, 'switchyard.cmd')}"`
  if (appImage !== undefined) return `${quoted(appImage)} --command-line --`
  if (platform === 'linux' && isThere(ON_THE_PATH)) return 'switchyard'
  return quoted(join(resources, 'switchyard'))
}

const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)
