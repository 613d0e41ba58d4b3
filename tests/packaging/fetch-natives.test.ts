import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nativesOf } from '../../scripts/natives.mjs'
import { aFolder } from '../process/house.ts'

const root = join(import.meta.dirname, '../..')

/** Stands in for npm: installs packages for the given platform, and records its arguments. */
const npm = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const [command, os, cpu, ...more] = process.argv.slice(2)
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
appendFileSync(process.env.ASKED, JSON.stringify({ command, os, cpu, more, dependencies, packages }) + '\\n')
for (const [place, found] of Object.entries(packages)) {
  const isWanted = found.os?.includes(os.slice(5)) && found.cpu?.includes(cpu.slice(6)) && process.env.BRINGS === 'all'
  if (!isWanted) continue
  mkdirSync(place, { recursive: true })
  writeFileSync(place + '/' + place.split('/').at(-1).replace('-', '.') + '.node', 'code')
}
`

/** A tree with the scripts, the lockfile, and packages with code for all systems. */
async function aTree() {
  const folder = await aFolder()
  const names = ['fetch-natives.mjs', 'natives.mjs', 'node24.mjs'].map((name) => `scripts/${name}`)
  for (const name of [...names, 'package-lock.json', '.npmrc']) cpSync(join(root, name), join(folder, name))
  for (const arch of ['x64', 'arm64'])
    for (const path of nativesOf('darwin', arch).slice(1)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), 'code')
    }
  writeFileSync(join(folder, 'npm-cli.js'), npm)
  const asked = join(folder, 'asked')
  const fetchNatives = (brings: string, ...args: string[]) => {
    const env = { ...process.env, npm_execpath: join(folder, 'npm-cli.js'), ASKED: asked, BRINGS: brings }
    return spawnSync(process.execPath, [join(folder, 'scripts/fetch-natives.mjs'), ...args], { env, encoding: 'utf8' })
  }
  const lines = () => (existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : [])
  return { folder, fetchNatives, asked: () => lines().map((line) => JSON.parse(line)) }
}

describe('the machine code that npm left out', () => {
  it('is fetched for each processor of a system, by the lockfile, once', async () => {
    const { folder, fetchNatives, asked } = await aTree()
    expect(fetchNatives('all', 'darwin')).toMatchObject({ status: 0, stderr: '' })
    for (const arch of ['x64', 'arm64'])
      for (const path of nativesOf('darwin', arch)) expect(existsSync(join(folder, path)), path).toBe(true)
    const calls = asked()
    expect(calls.map(({ command, os, cpu }) => [command, os, cpu])).toEqual([
      ['ci', '--os=darwin', '--cpu=x64'],
      ['ci', '--os=darwin', '--cpu=arm64'],
    ])
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const { '': project, ...locked } = calls[0].packages
    expect(project.dependencies).toEqual({ '@node-rs/argon2': packages['node_modules/@node-rs/argon2'].version })
    expect(Object.keys(locked).length).toBeGreaterThan(6)
    for (const [place, entry] of Object.entries(locked)) {
      expect(place).toMatch(/^node_modules\/@node-rs\/argon2/)
      expect(entry, 'with its checksum').toEqual(packages[place])
    }
    expect(fetchNatives('all', 'darwin').stdout).toBe('darwin-x64: all is there\ndarwin-arm64: all is there\n')
    expect(asked()).toHaveLength(2)
  })

  it('is requested from npm with a C library for Linux, and for one processor where needed', async () => {
    const { fetchNatives, asked } = await aTree()
    fetchNatives('all', 'linux', 'arm64')
    expect(asked().map(({ os, cpu, more }) => [os, cpu, more[0]])).toEqual([
      ['--os=linux', '--cpu=arm64', '--libc=glibc'],
    ])
  })

  it('is missed aloud where npm did not bring it', async () => {
    const { fetchNatives } = await aTree()
    const { status, stderr } = fetchNatives('nothing', 'darwin', 'x64')
    expect([status, stderr]).toEqual([
      1,
      'npm has not brought node_modules/@node-rs/argon2-darwin-x64/argon2.darwin-x64.node\n',
    ])
    expect(fetchNatives('all', 'plan9').stderr).toContain('usage: ')
  })
})
