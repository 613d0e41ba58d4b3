/** How this program was installed, and therefore how another version would be. */
export type InstalledAs = 'win' | 'mac' | 'appImage' | 'deb' | 'rpm'

/** dpkg's file list of this program; exists if dpkg has installed it. */
const OF_DPKG = '/var/lib/dpkg/info/switchyard.list'
/** Current and former location of rpm's database. */
const OF_RPM = ['/usr/lib/sysimage/rpm', '/var/lib/rpm']

/**
 * Determines the kind of installation; `isThere` checks for a path. An unpacked folder is treated as its system's usual
 * package.
 */
export function installedAs(
  platform: NodeJS.Platform,
  isAppImage: boolean,
  isThere: (path: string) => boolean,
): InstalledAs {
  if (platform === 'win32') return 'win'
  if (platform === 'darwin') return 'mac'
  if (isAppImage) return 'appImage'
  return !isThere(OF_DPKG) && OF_RPM.some(isThere) ? 'rpm' : 'deb'
}
