import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { archived, nativesOf } from '../../scripts/natives.mjs'
import { extract } from '../packaging/extract.ts'
import { fusesOf } from '../packaging/made-up-electron.ts'
import { test } from './shared-browser.ts'

/**
 * The package of this machine, built as for a release but with a fake Electron binary. Plain Node cannot read an
 * archive, so the tests start the extracted archive, with the native code from outside it.
 */
const root = join(import.meta.dirname, '../..')
const target = `linux-${process.arch}`
/** Without Electron: 20.9 MB when this was written, of which texts in five more languages are 4 MB. */
const MAX_BYTES = 22_500_000
test.describe.configure({ mode: 'serial', timeout: 240_000 })
test.use({ trace: 'off', screenshot: 'off' })
/** On other systems, tests/packaging/cross-packing.deep.test.ts builds the packages of all systems from fake code. */
const isHere = process.platform === 'linux'

let folder: string
let packed: string
let resources: string
let program: string

/** Runs a script on this Node; returns its output, and throws its error output. */
async function run(script: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: { ...process.env, KEEP_BUILD: '1', ...env },
  })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => void said.push(part))
  const [code] = await once(child, 'close')
  const text = Buffer.concat(said).toString()
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${text.slice(-4_000)}`)
  return text
}

const filesOf = () => archived(join(resources, 'app.asar'))

test.beforeAll(async () => {
  if (!isHere) return
  folder = await mkdtemp(join(tmpdir(), 'switchyard-packed-'))
  await run('tests/packaging/pack.ts', [root, folder, target])
  packed = join(folder, process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`)
  resources = join(packed, 'resources')
  program = extract(resources)
})
test.afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true })
})

test('a package contains the built files, machine code of its system next to them, and nothing else', () => {
  if (!isHere) return
  const files = filesOf()
  const paths = files.map(([path]) => path)
  const places = [
    ...new Set(
      paths.map((path) =>
        path
          .split('/')
          .slice(0, path.startsWith('out/') ? 2 : 1)
          .join('/'),
      ),
    ),
  ]
  const built = ['main', 'preload', 'renderer', 'viewer', 'licences'].map((name) => `out/${name}`)
  expect(places.sort()).toEqual([...built, 'resources', 'package.json', 'node_modules'].sort())
  const packages = paths.flatMap((path) => /^node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(path)?.[1] ?? [])
  const argon2 = `@node-rs/argon2-${target}-gnu`
  expect([...new Set(packages)].sort()).toEqual(['@node-rs/argon2', argon2, 'better-sqlite3', 'keytar'])
  expect(paths.filter((path) => /\.(tsx?|map|mts|cpp|h|gyp|env|pem|key|db|log)$/.test(path))).toEqual([])
  const outside = files.filter(([, { unpacked }]) => unpacked).map(([path]) => path)
  expect(outside.sort()).toEqual(nativesOf('linux', process.arch))
  const bytes = files.reduce((sum, [, { size }]) => sum + size, 0)
  expect(bytes).toBeLessThan(MAX_BYTES)
  expect(readdirSync(join(packed, 'locales')).sort()).toEqual(['en-US.pak', 'zh-CN.pak'])
})

test('licences of bundled packages are included', () => {
  if (!isHere) return
  const gateway = readFileSync(join(program, 'out/licences/gateway.md'), 'utf8')
  for (const name of ['koa', 'zod', 'undici', 'nodemailer']) expect(gateway).toContain(`## ${name} - `)
  expect(readFileSync(join(program, 'out/licences/console.md'), 'utf8')).toContain('## react - ')
  expect(statSync(join(program, 'out/viewer/LICENSE.br')).size).toBeGreaterThan(0)
})

test('its fuses are set (docs/reference/security.md#desktop)', () => {
  if (!isHere) return
  expect(fusesOf(join(packed, 'switchyard'))).toEqual(['cookieEncryption', 'archiveIntegrity', 'archiveOnly'])
})

test('packages of Linux declare their description, maintainer and dependencies', () => {
  if (!isHere) return
  const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
  for (const kind of ['deb', 'rpm']) {
    const { told, entry } = JSON.parse(readFileSync(join(folder, `${kind}.json`), 'utf8')) as {
      told: string[]
      entry: string // as pack.ts writes them
    }
    const value = (flag: string) => told[told.indexOf(flag) + 1]
    expect(value('--name')).toBe('switchyard')
    expect(value('--url')).toBe('https://example.org/switchyard')
    expect(value('--vendor')).toBe('Switchyard contributors')
    expect(value('--maintainer')).toMatch(/<.+@.+>/)
    expect(value('--license')).toBe('MIT')
    expect(value('--description')).toContain('gateway for AI model APIs')
    expect(told.filter((path) => path.includes('=/usr/share/icons/hicolor/'))).toHaveLength(8)
    expect(told.at(-1)).toMatch(/=\/usr\/share\/applications\/switchyard\.desktop$/)
    for (const line of ['Name=Switchyard', 'GenericName=AI gateway', 'Terminal=false', 'Categories=Development;'])
      expect(entry.split('\n')).toContain(line)
    expect(entry).toContain('MimeType=x-scheme-handler/switchyard;')
    expect(entry).toMatch(/^Exec=\/opt\/Switchyard\/switchyard/m)
  }
  for (const needed of ['libsecret-1-0', '(libsecret or libsecret-1-0)', 'libc6 (>= 2.34)', 'glibc >= 2.34'])
    expect(config).toContain(`- ${needed}\n`)
})

test('all of it loads, and every thread starts from it, with machine code next to the archive', async () => {
  if (!isHere) return
  const threads = readdirSync(join(program, 'out/main/threads')).filter((name) => name.endsWith('-thread.cjs'))
  expect(threads.map((name) => name.replace('-thread.cjs', ''))).toEqual(
    ['argon2', 'bcrypt', 'copy', 'counting', 'foreign', 'reader', 'recording', 'yaml'], // each is started below
  )
  const known = new Set([...builtinModules, 'better-sqlite3', '@node-rs/argon2'])
  for (const name of threads) {
    const text = readFileSync(join(program, 'out/main/threads', name), 'utf8')
    expect(text).not.toMatch(/^(import|export) /m)
    const asked = [...text.matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, asks = '']) => asks.replace('node:', ''))
    const strange = asked.filter((asks) => !known.has(asks) && !existsSync(join(program, 'out/main/threads', asks)))
    expect(strange, name).toEqual([])
  }
  const scratch = join(folder, 'scratch')
  await mkdir(scratch)
  const { answers, code } = JSON.parse(await run('tests/packaging/threads.ts', [program, scratch])) as {
    answers: Record<string, unknown>
    code: string[] // as threads.ts prints them
  }
  expect(answers).toEqual({
    argon2: true,
    bcrypt: true,
    copy: 'ok',
    reader: [{ answer: 42 }],
    foreign: ['users'],
    yaml: { value: { a: [1, 2] } },
    o200k: 2,
    cl100k: 2,
    seconds: 1,
  })
  const beside = nativesOf('linux', process.arch).map((path) => join(resources, 'app.asar.unpacked', path))
  expect(code.length).toBe(2)
  for (const path of code) expect(beside).toContain(path)
})

test('it starts under the stand-in, relays a call, and has everything after a restart', async () => {
  if (!isHere) return
  const double = ['--import', join(root, 'tests/desktop/register-double.ts'), join(program, 'out/main/index.js')]
  // As on Windows, where the program keeps running when its window is closed.
  await writeFile(join(folder, 'desktop.json'), JSON.stringify({ staysInTray: true }))
  const said = await run('scripts/check-package.mjs', [process.execPath, ...double], {
    DOUBLE_APP: program,
    DOUBLE_DATA: folder,
    DOUBLE_KEYCHAIN: 'works',
    LOG_LEVEL: 'silent',
  })
  expect(said).toContain('The package works.')
})

test('its command works like the command line of a server, on the data of the desktop, and shows no window', async () => {
  if (!isHere) return
  const installed = join(folder, 'installed')
  await mkdir(join(installed, 'resources'), { recursive: true })
  const words = ['--import', join(root, 'tests/desktop/register-double.ts'), join(program, 'out/main/index.js')]
  const desktop = `#!/bin/sh\nexec ${[process.execPath, ...words].map((word) => `'${word}'`).join(' ')} "$@"\n`
  await writeFile(join(installed, 'switchyard'), desktop, { mode: 0o755 })
  const command = join(installed, 'resources', 'switchyard')
  await copyFile(join(resources, 'switchyard'), command)
  expect(statSync(command).mode & 0o111).toBe(0o111)
  const double = { DOUBLE_APP: program, DOUBLE_DATA: join(folder, 'own'), DOUBLE_PORT: '0' }
  const env = { ...process.env, DATA_DIR: '', ...double }
  const asked = (...args: string[]) => spawnSync(command, args, { env, encoding: 'utf8' })
  const doctor = asked('doctor', '--json')
  expect(JSON.stringify(JSON.parse(doctor.stdout)), doctor.stderr).toContain(join(folder, 'own'))
  const wrong = asked('no-such-command', '--json')
  expect([wrong.status, JSON.parse(wrong.stderr)]).toMatchObject([2, { exit_code: 2 }])
})

test('the check of a package reports faults', async () => {
  if (!isHere) return
  const checked = run('scripts/check-package.mjs', [process.execPath, '--eval', 'process.exit(3)', '--'])
  await expect(checked).rejects.toThrow(/The package does not work: it ended with 3 while it was waited for/)
})

test('`npm run dist` reports missing requirements where it cannot continue', async () => {
  if (!isHere) return
  const dist = (electron: string) =>
    run('scripts/dist.mjs', ['--dir', '--x64'], { ELECTRON_OVERRIDE_DIST_PATH: electron })
  const nowhere = join(folder, 'nowhere')
  await expect(dist(nowhere)).rejects.toThrow(`ELECTRON_OVERRIDE_DIST_PATH is ${nowhere}, and nothing is there`)
  await mkdir(nowhere)
  await expect(dist(nowhere)).rejects.toThrow(/Electron \d+\.\d+\.\d+ for each system and processor/)
})
