/** How this program came onto the computer, and so how another version of it does. */
export type InstalledAs = 'win' | 'mac' | 'appImage' | 'deb' | 'rpm'

/** Where dpkg says which files are this program's: it is there where dpkg has installed it. */
const OF_DPKG = '/var/lib/dpkg/info/switchyard.list'
/** Where rpm keeps its database, today and before. */
const OF_RPM = ['/usr/lib/sysimage/rpm', '/var/lib/rpm']

/** Finds it out by the system; `isThere` asks whether a path is there. A folder that was unpacked counts as what its system installs. */
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
