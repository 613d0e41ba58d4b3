import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** The oldest glibc a package for Linux may need: Debian 12, Ubuntu 22.04, Fedora 35, Enterprise Linux 9 (README.md). */
export const OLDEST_GLIBC = '2.34'
/** The oldest supported macOS, equal to `minimumSystemVersion` in electron-builder.yml. */
export const OLDEST_MACOS = '13.0'

/** The native code in a package for a system and a processor: these files outside its archive, and no others. */
export function nativesOf(platform, arch) {
  const ending = { linux: '-gnu', win32: '-msvc' }[platform] ?? ''
  const name = `argon2-${platform}-${arch}${ending}`
  return [
    `node_modules/@node-rs/${name}/${name.replace('-', '.')}.node`,
    `node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`,
    `node_modules/keytar/prebuilds/${platform}-${arch}/keytar.node`,
  ]
}

/**
 * Faults of the native code in a packed `resources` folder and in the given programs, as sentences; empty when all is
 * right.
 */
export function faultsOf({ resources, platform, arch, programs = [] }) {
  const unpacked = join(resources, 'app.asar.unpacked')
  const found = existsSync(unpacked) ? filesIn(unpacked).filter((path) => path.endsWith('.node')) : []
  const wanted = nativesOf(platform, arch)
  const locked = archived(join(resources, 'app.asar')).filter(([path, { unpacked: isOut }]) => {
    return path.endsWith('.node') && !isOut
  })
  const files = [...found.map((path) => [path, join(unpacked, path)]), ...programs.map((path) => [path, path])]
  return [
    ...wanted.filter((path) => !found.includes(path)).map((path) => `${path} is missing`),
    ...found.filter((path) => !wanted.includes(path)).map((path) => `${path} does not belong to ${platform}-${arch}`),
    ...locked.map(([path]) => `${path} lies in the archive, where no system loads it from`),
    ...files.flatMap(([name, path]) =>
      misfits(headerOf(readFileSync(path)), platform, arch).map((why) => `${name} ${why}`),
    ),
  ]
}

/** Every file of an asar archive by its path, as its header lists it. */
export function archived(file) {
  const bytes = readFileSync(file)
  // A pickle in a pickle: the fourth word holds the length of the text.
  const { files } = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12)))
  const walk = (folder, above) =>
    Object.entries(folder).flatMap(([name, entry]) => {
      const path = above === '' ? name : `${above}/${name}`
      return entry.files ? walk(entry.files, path) : [[path, entry]]
    })
  return walk(files, '')
}

function misfits(header, platform, arch) {
  if (!header) return ['is not known machine code']
  const faults = []
  if (header.platform !== platform || !header.arches.includes(arch))
    faults.push(`is for ${header.platform}-${header.arches.join('+')}, not for ${platform}-${arch}`)
  if (header.isMusl) faults.push('needs musl')
  if (isNewer(header.glibc, OLDEST_GLIBC)) faults.push(`needs glibc ${header.glibc}, above ${OLDEST_GLIBC}`)
  if (isNewer(header.macos, OLDEST_MACOS)) faults.push(`needs macOS ${header.macos}, above ${OLDEST_MACOS}`)
  return faults
}

/**
 * The header of an ELF, PE or Mach-O file: the system, the processors, and the oldest glibc or macOS that it starts on.
 * Undefined for any other file.
 */
export function headerOf(bytes) {
  if (bytes.length < 64) return undefined
  const magic = bytes.readUInt32BE(0)
  if (magic === 0x7f454c46) return elf(bytes)
  if (bytes.readUInt16BE(0) === 0x4d5a) return pe(bytes)
  if (magic === 0xcafebabe) return fat(bytes)
  return magic === 0xcffaedfe ? machO(bytes) : undefined
}

const elfMachines = { 3: 'ia32', 40: 'arm', 62: 'x64', 183: 'arm64' }
const peMachines = { 332: 'ia32', 34404: 'x64', 43620: 'arm64' }
const machOMachines = { 16777223: 'x64', 16777228: 'arm64' }

function elf(bytes) {
  const machine = bytes.readUInt16LE(18)
  const is64 = bytes[4] === 2 && bytes[5] === 1
  const texts = is64 ? stringsOf(bytes) : []
  const versions = texts.flatMap((text) => /^GLIBC_(\d+(?:\.\d+)+)$/.exec(text)?.[1] ?? [])
  return {
    platform: 'linux',
    arches: [elfMachines[machine] ?? `machine ${machine}`],
    isMusl: texts.some((text) => text.startsWith('libc.musl-')),
    glibc: versions.reduce((max, version) => (isNewer(version, max) ? version : max), undefined),
  }
}

/** Strings of a dynamic ELF file: the libraries it needs, and the versions of the symbols it uses from them. */
function stringsOf(bytes) {
  const [at, size, count] = [Number(bytes.readBigUInt64LE(40)), bytes.readUInt16LE(58), bytes.readUInt16LE(60)]
  const section = (index) => {
    const start = at + index * size
    const number = (offset) => Number(bytes.readBigUInt64LE(start + offset))
    return {
      type: bytes.readUInt32LE(start + 4),
      from: number(24),
      length: number(32),
      link: bytes.readUInt32LE(start + 40),
    }
  }
  const sections = Array.from({ length: count }, (_, index) => section(index))
  return sections.flatMap((one) => {
    const text = (offset) => textAt(bytes, (sections[one.link]?.from ?? 0) + offset)
    if (one.type === DYNAMIC) return neededIn(bytes, one).map(text)
    return one.type === VERSION_NEEDS ? versionsIn(bytes, one).map(text) : []
  })
}

const DYNAMIC = 6
const VERSION_NEEDS = 0x6ffffffe
const NEEDED = 1n

function neededIn(bytes, { from, length }) {
  const found = []
  for (let at = from; at < from + length; at += 16)
    if (bytes.readBigUInt64LE(at) === NEEDED) found.push(Number(bytes.readBigUInt64LE(at + 8)))
  return found
}

/**
 * The libraries form a chain, and each has a chain of versions; an entry of either chain has the offset to the next
 * one, 0 at the end.
 */
function versionsIn(bytes, { from }) {
  const found = []
  for (let at = from, next = -1; next !== 0; at += next) {
    let version = at + bytes.readUInt32LE(at + 8)
    for (let left = bytes.readUInt16LE(at + 2); left > 0; left -= 1) {
      found.push(bytes.readUInt32LE(version + 8))
      version += bytes.readUInt32LE(version + 12)
    }
    next = bytes.readUInt32LE(at + 12)
  }
  return found
}

function pe(bytes) {
  const at = bytes.readUInt32LE(0x3c)
  if (at + 6 > bytes.length || bytes.readUInt32BE(at) !== 0x50450000) return undefined
  const machine = bytes.readUInt16LE(at + 4)
  return { platform: 'win32', arches: [peMachines[machine] ?? `machine ${machine}`] }
}

const BUILD_VERSION = 0x32
const MINIMUM_VERSION = 0x24

function machO(bytes) {
  const machine = bytes.readUInt32LE(4)
  let macos
  for (let at = 32, left = bytes.readUInt32LE(16); left > 0; left -= 1) {
    const command = bytes.readUInt32LE(at)
    if (command === BUILD_VERSION) macos = versionAt(bytes, at + 12)
    if (command === MINIMUM_VERSION) macos = versionAt(bytes, at + 8)
    at += bytes.readUInt32LE(at + 4)
  }
  return { platform: 'darwin', arches: [machOMachines[machine] ?? `machine ${machine}`], macos }
}

const versionAt = (bytes, at) => `${bytes.readUInt16LE(at + 2)}.${bytes[at + 1]}`

/** The processors of a Mach-O file for several of them; each is described in five words. */
function fat(bytes) {
  const machines = Array.from({ length: bytes.readUInt32BE(4) }, (_, index) => bytes.readUInt32BE(8 + 20 * index))
  return { platform: 'darwin', arches: machines.map((machine) => machOMachines[machine] ?? `machine ${machine}`) }
}

function textAt(bytes, at) {
  return bytes.toString('latin1', at, bytes.indexOf(0, at))
}

function isNewer(version, than) {
  if (version === undefined || than === undefined) return version !== undefined
  const [one, other] = [version, than].map((text) => text.split('.').map(Number))
  return (one[0] - other[0] || one[1] - other[1]) > 0
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}
