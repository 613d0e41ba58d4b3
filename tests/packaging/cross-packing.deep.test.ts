import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readFeed } from '../../main/update/electron-engine.ts'
import { archived, faultsOf, nativesOf } from '../../scripts/natives.mjs'
import { aFolder } from '../process/house.ts'
import { fusesOf, makeUpProject } from './made-up-electron.ts'

const script = join(import.meta.dirname, 'pack.ts')
/** Each system's package folder, its resources in it, and the file with the fuses. */
const places = {
  'linux-arm64': ['linux-arm64-unpacked', 'resources', 'switchyard'],
  'darwin-x64': [
    'mac/Switchyard.app',
    'Contents/Resources',
    'Contents/Frameworks/Electron Framework.framework/Electron Framework',
  ],
  'darwin-arm64': [
    'mac-arm64/Switchyard.app',
    'Contents/Resources',
    'Contents/Frameworks/Electron Framework.framework/Electron Framework',
  ],
  'win32-x64': ['win-unpacked', 'resources', 'Switchyard.exe'],
  'win32-arm64': ['win-arm64-unpacked', 'resources', 'Switchyard.exe'],
} as const
/** On Windows electron-builder creates nothing for macOS, not even a folder. */
const isMacMade = process.platform !== 'win32'
const targets = (Object.keys(places) as (keyof typeof places)[]).filter(
  (name) => isMacMade || !name.startsWith('darwin'),
)

async function pack(project: string, folder: string, wanted: readonly string[]) {
  const child = spawn(process.execPath, [script, project, folder, ...wanted])
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => void said.push(part))
  const [code] = await once(child, 'close')
  return { code, said: Buffer.concat(said).toString() }
}

describe('packages for other systems, with Electron and the program made up', () => {
  let home = ''
  let folder = ''
  let said = ''
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'switchyard-packages-'))
    folder = join(home, 'packed')
    makeUpProject(join(home, 'project'))
    said = (await pack(join(home, 'project'), folder, targets)).said
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  it.each(targets)('that for %s has its own machine code and no other, and its fuses', (target) => {
    const [place, inside, program] = places[target]
    const [platform = '', arch = ''] = target.split('-')
    const resources = join(folder, place, inside)
    expect(faultsOf({ resources, platform, arch }), said.slice(-3_000)).toEqual([])
    const files = archived(join(resources, 'app.asar'))
    expect(
      files
        .filter(([path]) => path.endsWith('.node'))
        .map(([path]) => path)
        .sort(),
    ).toEqual(nativesOf(platform, arch))
    const others = files.map(([path]) => path).filter((path) => !/^(node_modules|resources\/tray)\//.test(path))
    expect(others, 'no map, no secret').toEqual(['out/main/index.js', 'package.json'])
    expect(fusesOf(join(folder, place, program))).toEqual(['cookieEncryption', 'archiveIntegrity', 'archiveOnly'])
  })

  it('are made for the requested processors, each in a separate file', () => {
    const config = parse(readFileSync(join(import.meta.dirname, '../../electron-builder.yml'), 'utf8'))
    expect(config.nsis.buildUniversalInstaller).toBe(false)
    expect(config.artifactName).toMatch(/-\$\{arch\}\./)
    // A target that names a processor would also be packed on the runner of another processor.
    expect(config.win.target).toEqual(['nsis'])
    expect(config.mac.target).toEqual(['dmg', 'zip'])
    expect(config.linux.target).toEqual(['AppImage', 'deb', 'rpm'])
    expect(config.electronFuses.resetAdHocDarwinSignature).toBe(true)
  })

  it('that for macOS declares the version it needs, its permissions, and that it does not sleep', () => {
    if (!isMacMade) return
    const plist = readFileSync(join(folder, 'mac-arm64/Switchyard.app/Contents/Info.plist'), 'utf8').replace(
      />\s+</g,
      '><',
    )
    expect(plist).toContain('<key>LSMinimumSystemVersion</key><string>13.0</string>')
    expect(plist).toMatch(/<key>NSLocalNetworkUsageDescription<\/key><string>Switchyard connects to .+<\/string>/)
    expect(plist).toContain('<key>NSAppSleepDisabled</key><true/>')
    expect(plist).toContain('<key>ElectronAsarIntegrity</key>')
    expect(plist).toContain('<key>CFBundleURLSchemes</key><array><string>switchyard</string></array>')
    const resources = readdirSync(join(folder, 'mac-arm64/Switchyard.app/Contents/Resources'))
    expect(resources).toContain('icon.icns')
  })

  it('declare where updates are, as the program reads it', async () => {
    const feedFile = join(folder, 'linux-arm64-unpacked/resources/app-update.yml')
    expect(await readFeed(feedFile)).toEqual({ url: 'https://example.org/feed', publisher: '' })
    expect(readFileSync(feedFile, 'utf8')).toContain('updaterCacheDirName: switchyard-updater')
  })

  it('are refused where the machine code of one is missing', async () => {
    const project = await aFolder()
    makeUpProject(project, ['linux-x64'])
    const { code, said } = await pack(project, await aFolder(), ['linux-arm64'])
    expect(code).not.toBe(0)
    expect(said).toContain('This package would not start on linux-arm64:')
    expect(said).toContain('node_modules/@node-rs/argon2-linux-arm64-gnu/argon2.linux-arm64-gnu.node is missing')
    expect(said).toContain('node scripts/fetch-natives.mjs linux')
  })
})
