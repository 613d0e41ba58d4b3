import { join } from 'node:path'
import { faultsOf } from './natives.mjs'

/** As electron-builder counts its processors. */
const arches = { 1: 'x64', 3: 'arm64' }

/** Called by electron-builder for each folder it has packed: throws where the machine code in it is not that system's. */
export default function afterPack({ appOutDir, electronPlatformName: platform, arch, packager }) {
  const { productFilename } = packager.appInfo
  const inside = join(appOutDir, `${productFilename}.app`, 'Contents')
  const places = {
    darwin: { resources: join(inside, 'Resources'), program: join(inside, 'MacOS', productFilename) },
    linux: { program: join(appOutDir, packager.executableName) },
    win32: { program: join(appOutDir, `${productFilename}.exe`) },
  }
  const { program, resources = join(appOutDir, 'resources') } = places[platform]
  const faults = faultsOf({ resources, platform, arch: arches[arch] ?? String(arch), programs: [program] })
  if (faults.length === 0) return
  const advice = `node scripts/fetch-natives.mjs ${platform} gets what npm left out (docs/releasing.md).`
  throw new Error([`This package would not start on ${platform}-${arches[arch]}:`, ...faults, advice].join('\n  '))
}
