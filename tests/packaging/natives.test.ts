import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultsOf, headerOf, nativesOf, OLDEST_GLIBC, OLDEST_MACOS } from '../../scripts/natives.mjs'
import { aFolder } from '../process/house.ts'

const root = join(import.meta.dirname, '../..')
const sqlite = (target: string) => readFileSync(join(root, `node_modules/better-sqlite3/prebuilds/${target}.node`))

function archiveOf(files: object): Buffer {
  const text = Buffer.from(JSON.stringify({ files }))
  const head = Buffer.alloc(16)
  head.writeUInt32LE(4, 0)
  head.writeUInt32LE(text.length + 8, 4)
  head.writeUInt32LE(text.length + 4, 8)
  head.writeUInt32LE(text.length, 12)
  return Buffer.concat([head, text])
}

/** A packed folder with a system's native code, from a package with code for all systems. */
async function packed(platform: string, arch: string, files: object = {}) {
  const resources = await aFolder()
  writeFileSync(join(resources, 'app.asar'), archiveOf(files))
  const put = (path: string, bytes: Buffer) => {
    mkdirSync(dirname(join(resources, 'app.asar.unpacked', path)), { recursive: true })
    writeFileSync(join(resources, 'app.asar.unpacked', path), bytes)
  }
  for (const path of nativesOf(platform, arch)) put(path, sqlite(`${platform}-${arch}`))
  return { resources, put, faults: () => faultsOf({ resources, platform, arch }) }
}

describe('the header of machine code', () => {
  it.each([
    ['linux-x64', { platform: 'linux', arches: ['x64'], isMusl: false, glibc: '2.34' }],
    ['linux-arm64', { platform: 'linux', arches: ['arm64'], isMusl: false, glibc: '2.34' }],
    ['linuxmusl-x64', { platform: 'linux', arches: ['x64'], isMusl: true, glibc: undefined }],
    ['win32-x64', { platform: 'win32', arches: ['x64'] }],
    ['win32-arm64', { platform: 'win32', arches: ['arm64'] }],
    ['darwin-x64', { platform: 'darwin', arches: ['x64'], macos: '10.7' }],
    ['darwin-arm64', { platform: 'darwin', arches: ['arm64'], macos: '11.0' }],
  ])('shows what %s is for', (target, told) => {
    expect(headerOf(sqlite(target))).toEqual(told)
  })

  it('lists every processor of a file for several', () => {
    const bytes = Buffer.alloc(64)
    for (const [index, word] of [0xcafebabe, 2, 16777223, 0, 0, 0, 0, 16777228].entries())
      bytes.writeUInt32BE(word, 4 * index)
    expect(headerOf(bytes)).toEqual({ platform: 'darwin', arches: ['x64', 'arm64'] })
  })

  it('is unknown where it is missing, or cut off', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(100), Buffer.from(`#!/bin/sh\n${' '.repeat(60)}`)])
      expect(headerOf(bytes)).toBeUndefined()
    const cut = Buffer.from(sqlite('win32-x64').subarray(0, 64))
    expect(headerOf(cut)).toBeUndefined()
  })
})

describe('the machine code of a package', () => {
  it.each(
    ['linux', 'darwin', 'win32'].flatMap((platform) => ['x64', 'arm64'].map((arch) => [platform, arch] as const)),
  )('is right for %s-%s where it has all of that and no other', async (platform, arch) =>
    expect((await packed(platform, arch)).faults()).toEqual([]),
  )

  it('is refused where one is missing, for another processor, for another system, or too many', async () => {
    const { put, resources, faults } = await packed('darwin', 'arm64')
    const [argon2 = '', database = '', keychain = ''] = nativesOf('darwin', 'arm64')
    put(argon2, sqlite('darwin-x64'))
    put(database, sqlite('linux-arm64'))
    put('node_modules/keytar/prebuilds/darwin-x64/keytar.node', sqlite('darwin-x64'))
    expect(faults()).toEqual([
      'node_modules/keytar/prebuilds/darwin-x64/keytar.node does not belong to darwin-arm64',
      `${argon2} is for darwin-x64, not for darwin-arm64`,
      `${database} is for linux-arm64, not for darwin-arm64`,
      'node_modules/keytar/prebuilds/darwin-x64/keytar.node is for darwin-x64, not for darwin-arm64',
    ])
    put(keychain, Buffer.from('a pointer to a file that was not fetched, as some stores of files leave it'))
    expect(faults()).toContain(`${keychain} is not known machine code`)
    const empty = await aFolder()
    writeFileSync(join(empty, 'app.asar'), archiveOf({}))
    expect(faultsOf({ resources: empty, platform: 'linux', arch: 'x64' })).toEqual(
      nativesOf('linux', 'x64').map((path) => `${path} is missing`),
    )
    expect(resources).not.toBe(empty)
  })

  it('is refused where it needs musl, or is in the archive', async () => {
    const { put, faults } = await packed('linux', 'x64', {
      'some.node': { size: 1, offset: '0' },
      'other.node': { size: 1, unpacked: true },
    })
    const [argon2 = ''] = nativesOf('linux', 'x64')
    put(argon2, sqlite('linuxmusl-x64'))
    expect(faults()).toEqual(['some.node lies in the archive, where no system loads it from', `${argon2} needs musl`])
  })

  it('is refused where it needs a newer glibc or macOS than we declare', async () => {
    const linux = await packed('linux', 'x64')
    const [argon2 = ''] = nativesOf('linux', 'x64')
    const newer = Buffer.from(sqlite('linux-x64').toString('latin1').replaceAll('GLIBC_2.34', 'GLIBC_2.99'), 'latin1')
    linux.put(argon2, newer)
    expect(linux.faults()).toEqual([`${argon2} needs glibc 2.99, above ${OLDEST_GLIBC}`])
    const mac = await packed('darwin', 'arm64')
    const [other = ''] = nativesOf('darwin', 'arm64')
    const bytes = Buffer.from(sqlite('darwin-arm64'))
    bytes.writeUInt16LE(26, bytes.indexOf(Buffer.from([0x32, 0, 0, 0, 0x20, 0, 0, 0])) + 14)
    mac.put(other, bytes)
    expect(mac.faults()).toEqual([`${other} needs macOS 26.0, above ${OLDEST_MACOS}`])
  })

  it('requires the versions declared by the packages and the README', () => {
    const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
    expect(config).toContain(`libc6 (>= ${OLDEST_GLIBC})`)
    expect(config).toContain(`glibc >= ${OLDEST_GLIBC}`)
    expect(config).toContain(`minimumSystemVersion: '${OLDEST_MACOS}'`)
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`glibc ${OLDEST_GLIBC}`)
  })
})
