import { join } from 'node:path'
import { faultsOf } from './natives.mjs'

/** Architectures as electron-builder numbers them. */
const arches = { 1: 'x64', 3: 'arm64' }

/**
 * electron-builder calls this for each folder it has packed; throws when native code is missing from it or does not run
 * on its system.
 */
export default function afterPack({ appOutDir, electronPlatformName: platform, arch: number, packager }) {
  const arch = arches[number] ?? `processor ${number}`
  const { program, resources } = placesIn(appOutDir, platform, packager)
  const faults = faultsOf({ resources, platform, arch, programs: [program] })
  if (faults.length === 0) return
  const advice = `node scripts/fetch-natives.mjs ${platform} gets what npm has left out (docs/releasing.md).`
  throw new Error([`This package would not start on ${platform}-${arch}:`, ...faults, advice].join('\n  '))
}

function placesIn(folder, platform, { appInfo, executableName }) {
  const { productFilename } = appInfo
  if (platform === 'darwin') {
    const inside = join(folder, `${productFilename}.app`, 'Contents')
    return { resources: join(inside, 'Resources'), program: join(inside, 'MacOS', productFilename) }
  }
  const program = platform === 'win32' ? `${productFilename}.exe` : executableName
  return { resources: join(folder, 'resources'), program: join(folder, program) }
}
