import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'

const root = join(import.meta.dirname, '../..')
/** The marker of the fuses in Electron's program, followed by their version, their number and a character for each. */
const mark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const fuses = `${mark}\u0001\u0008${'0'.repeat(8)}`
/** In the order of Electron's own table. */
const fuseNames = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptions',
  'nodeInspection',
  'archiveIntegrity',
  'archiveOnly',
  'browserSnapshot',
  'filePrivileges',
]
const apple = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'].map((part) => `Electron Helper${part}`)
const plist = `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>CFBundleExecutable</key><string>Electron</string></dict></plist>
`

const everyTarget = ['linux', 'darwin', 'win32'].flatMap((platform) => [`${platform}-x64`, `${platform}-arm64`])

export type Platform = 'linux' | 'darwin' | 'win32'

/**
 * A folder with the files that electron-builder expects of Electron, without a real binary: its program is native code
 * of that system and processor that does nothing, with fuses that can be changed and read.
 */
export function makeUpElectron(folder: string, platform: Platform, arch: string): string {
  const code = readFileSync(join(root, `node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`))
  const program = Buffer.concat([code, Buffer.from(fuses, 'latin1')])
  const write = (name: string, bytes: Buffer | string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes, { mode: 0o755 })
  }
  write('version', '45.4.1')
  write('LICENSE', '')
  write('LICENSES.chromium.html', '')
  if (platform !== 'darwin') {
    for (const language of ['en-US', 'zh-CN', 'de']) write(`locales/${language}.pak`, '')
    if (platform === 'linux') write('electron', program)
    else write('electron.exe', withVersion(program))
    return folder
  }
  const inside = 'Electron.app/Contents'
  write(`${inside}/Info.plist`, plist)
  write(`${inside}/MacOS/Electron`, program)
  for (const language of ['en', 'zh_CN', 'de']) write(`${inside}/Resources/${language}.lproj/locale.pak`, '')
  const framework = `${inside}/Frameworks/Electron Framework.framework`
  write(`${framework}/Electron Framework`, program)
  write(`${framework}/Versions/A/Resources/en.lproj/locale.pak`, '')
  for (const name of apple) {
    write(`${inside}/Frameworks/${name}.app/Contents/Info.plist`, plist)
    write(`${inside}/Frameworks/${name}.app/Contents/MacOS/${name}`, code)
  }
  return folder
}

/** The enabled fuses of a program. */
export function fusesOf(program: string): string[] {
  const bytes = readFileSync(program)
  const at = bytes.indexOf(mark) + mark.length + 2
  return fuseNames.filter((_, index) => String.fromCharCode(bytes[at + index] ?? 0) === '1')
}

/** Windows programs have a version table, to which electron-builder adds the archive's checksum. */
function withVersion(program: Buffer): Buffer {
  const executable = NtExecutable.from(program)
  const resources = NtExecutableResource.from(executable)
  const version = Resource.VersionInfo.createEmpty()
  version.setFileVersion('45.4.1.0', 1033)
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(executable)
  return Buffer.concat([Buffer.from(executable.generate()), Buffer.from(fuses, 'latin1')])
}

/**
 * A project that packs quickly: a program of one line, the packages with native code, and fakes of the packages that
 * scripts/fetch-natives.mjs would add per system and processor.
 */
export function makeUpProject(folder: string, fetched = everyTarget): void {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown> // a file of ours
  const { name, version, description, author, license, main } = own
  const dependencies = { '@node-rs/argon2': '*', 'better-sqlite3': '*', keytar: '*' }
  mkdirSync(join(folder, 'out/main'), { recursive: true })
  writeFileSync(join(folder, 'out/main/index.js'), 'export {}')
  writeFileSync(join(folder, 'out/main/index.js.map'), '{}')
  writeFileSync(join(folder, '.env'), 'SECRET=1')
  const project = { name, version, description, author, license, main, homepage: 'https://example.org/', dependencies }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  cpSync(join(root, 'resources'), join(folder, 'resources'), { recursive: true })
  const isWanted = (path: string) => !/better-sqlite3\/(deps|src)|argon2-/.test(path)
  for (const place of ['better-sqlite3', 'keytar', '@node-rs/argon2', 'node-addon-api'].map(
    (name) => `node_modules/${name}`,
  ))
    cpSync(join(root, place), join(folder, place), { recursive: true, filter: isWanted })
  for (const target of fetched) makeUpArgon2(folder, target)
}

function makeUpArgon2(folder: string, code: string): void {
  const target = code.replace(/^linux-.*/, '$&-gnu').replace(/^win32-.*/, '$&-msvc')
  const home = join(folder, 'node_modules/@node-rs', `argon2-${target}`)
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@node-rs/argon2/package.json'), 'utf8')) as {
    version: string // every package has one
  }
  mkdirSync(home)
  const files = [`argon2.${target}.node`]
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: `@node-rs/argon2-${target}`, version, files }))
  cpSync(join(root, `node_modules/better-sqlite3/prebuilds/${code}.node`), join(home, `argon2.${target}.node`))
}
