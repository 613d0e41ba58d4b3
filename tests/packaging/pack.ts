import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Arch, build, type Configuration, Platform } from 'electron-builder'
import { makeUpElectron, type Platform as System } from './made-up-electron.ts'

/**
 * Packs a project as for a release, with a fake Electron: `node pack.ts <project> <folder> <system>-<processor>...`.
 * The arguments of fpm for deb and rpm are written to `<folder>/<target>.json` in place of the package.
 */
const root = join(import.meta.dirname, '../..')
const [project = root, folder = '', ...targets] = process.argv.slice(2)
const systems = { linux: Platform.LINUX, darwin: Platform.MAC, win32: Platform.WINDOWS }

for (const target of targets) {
  const [system, arch] = target.split('-') as [System, 'x64' | 'arm64'] // the caller's target names
  const isWithInstallers = system === 'linux' && project === root
  const config: Configuration = {
    extends: join(root, 'electron-builder.yml'),
    afterPack: join(root, 'scripts/after-pack.mjs'),
    directories: { output: folder },
    electronVersion: '45.4.1',
    electronDist: makeUpElectron(join(folder, 'electron', target), system, arch),
    extraMetadata: { homepage: 'https://example.org/switchyard' },
    publish: { provider: 'generic', url: 'https://example.org/feed' },
    // Only a macOS program can renew the signature.
    ...(system === 'darwin' && { electronFuses: { resetAdHocDarwinSignature: false }, mac: { identity: null } }),
  }
  await build({
    projectDir: project,
    publish: 'never',
    targets: systems[system].createTarget(isWithInstallers ? ['dir', 'deb', 'rpm'] : ['dir'], Arch[arch]),
    config,
    async effectiveOptionComputed(options) {
      const [told, entry] = options as unknown as [string[], string] // fpm's arguments, and the file of the desktop entry
      const kind = told[told.indexOf('--package') + 1]?.split('.').at(-1)
      writeFileSync(join(folder, `${kind}.json`), JSON.stringify({ told, entry: readFileSync(entry, 'utf8') }))
      return true
    },
  })
}
