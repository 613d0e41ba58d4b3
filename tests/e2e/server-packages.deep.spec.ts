import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { freePortAfter } from '../../main/free-port.ts'
import { aBrowser } from '../gateway/accounts/providers/browser.ts'
import { aClient, dataOf, setupPath } from '../support/client.ts'
import { anAuthenticator } from '../support/passkey-device.ts'
import { ROOT } from './gateway.ts'
import { test } from './shared-browser.ts'

/** The server packages: the one for npm, and the files of an image, which no test can build. */
const root = join(import.meta.dirname, '../..')
/** With the texts of seven languages. */
const MAX_BYTES = 8_500_000
const imageFile = readFileSync(join(root, 'Dockerfile'), 'utf8')

let folder: string
let running: ChildProcess | undefined
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-server-'))
})
test.afterEach(async () => {
  if (running && running.exitCode === null) {
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  running = undefined
  await rm(folder, { recursive: true, force: true })
})

async function run(file: string, args: readonly string[], env: Record<string, string> = {}): Promise<number | null> {
  const child = spawn(file, args, { cwd: root, env: { ...process.env, KEEP_BUILD: '1', ...env }, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code
}

/** Starts a gateway from files in `home`; resolves once it responds. */
async function start(home: string, args: readonly string[]) {
  const port = await freePortAfter(10_000 + (randomBytes(2).readUInt16BE() % 20_000), '127.0.0.1')
  const env = {
    PATH: process.env.PATH,
    SystemRoot: process.env.SystemRoot,
    LOG_LEVEL: 'silent',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64'),
  }
  const child = spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', 'ignore', 'inherit'] })
  running = child
  const url = `http://127.0.0.1:${port}`
  await expect(async () => expect((await fetch(`${url}/api/status`)).ok).toBe(true)).toPass({ timeout: 60_000 })
  return { url, port: String(port), child }
}

/** Sets it up and logs in with a passkey, whose package is the hardest to bundle. */
async function usePasskey(url: string): Promise<void> {
  const { username, password } = ROOT
  const link = readFileSync(join(folder, 'data/setup-link'), 'utf8').trim()
  dataOf(await aClient(url).post(setupPath(link), { username, password, confirmPassword: password }))
  const site = url.replace('127.0.0.1', 'localhost')
  const [browser, device] = [aBrowser(url), anAuthenticator(site)]
  await browser.logIn(username, password)
  dataOf(await browser.put('/api/option/', { key: 'ServerAddress', value: site }))
  const options = dataOf(await browser.post('/api/user/passkey/register/begin', { password }))
  dataOf(await browser.post('/api/user/passkey/register/finish', { ...device.creates(options), name: 'mine' }))
  const other = aBrowser(url)
  const asked = dataOf(await other.post('/api/user/passkey/login/begin', {}))
  const entered = dataOf(await other.post('/api/user/passkey/login/finish', device.answers(asked)))
  expect(entered).toMatchObject({ username })
}

test('the package for npm is small, and starts with only two packages next to it', async () => {
  expect(await run(process.execPath, [join(root, 'scripts/npm-package.mjs')])).toBe(0)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const file = join(root, 'dist', `switchyard-${version}.tgz`)
  expect(statSync(file).size).toBeLessThan(MAX_BYTES)
  expect(await run('tar', ['-xzf', file, '-C', folder])).toBe(0)
  const home = join(folder, 'package')
  expect(readdirSync(home).sort()).toEqual(['LICENSE', 'README.md', 'out', 'package.json', 'scripts'])
  expect(readdirSync(join(home, 'out/main')).sort()).toEqual(['chunks', 'gateway.js', 'threads'])
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  expect(Object.keys(manifest.dependencies)).toEqual(['@node-rs/argon2', 'better-sqlite3'])
  expect(manifest).toMatchObject({ engines: { node: '>=24.14.1' }, bin: { switchyard: 'scripts/switchyard.cjs' } })
  for (const name of ['private', 'scripts', 'devDependencies']) expect(manifest).not.toHaveProperty(name)

  await mkdir(join(home, 'node_modules/@node-rs'), { recursive: true })
  for (const name of Object.keys(manifest.dependencies))
    await symlink(join(root, 'node_modules', name), join(home, 'node_modules', name), 'junction')
  const { url, child } = await start(home, [manifest.bin.switchyard])
  expect(await (await fetch(url)).text()).toContain('<div id="root">')
  expect((await fetch(`${url}/api/docs/swagger-ui.css`)).ok).toBe(true)
  await usePasskey(url)
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(process.platform === 'win32' ? null : 0)
})

test('an image runs the same files as an unprivileged user, and knows whether it is healthy', async () => {
  const home = join(folder, 'image')
  expect(await run(process.execPath, [join(root, 'scripts/npm-package.mjs'), '--into', home])).toBe(0)
  const command = (name: string): string[] => {
    const line = new RegExp(`^${name}\\b.*?(\\[.*\\])$`, 'm').exec(imageFile)?.[1] ?? '[]'
    return JSON.parse(line).slice(1) // our own file: the arguments of node
  }
  const { port, child } = await start(home, command('ENTRYPOINT'))
  const health = (HOST = '0.0.0.0') => run(process.execPath, command('HEALTHCHECK'), { PORT: port, HOST })
  for (const host of ['0.0.0.0', '127.0.0.1']) expect(await health(host)).toBe(0)
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(await health()).toBe(1)

  const last = imageFile.slice(imageFile.lastIndexOf('\nFROM'))
  expect(last).toMatch(/^USER node$/m)
  expect(last.indexOf('USER node')).toBeGreaterThan(last.indexOf('chown'))
  expect(last).toMatch(/^VOLUME \/data$/m)
  for (const line of imageFile.match(/^FROM .*/gm) ?? [])
    expect(line).toMatch(/^FROM node:24-bookworm-slim( AS build)?$/)
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  for (const name of ['.git', 'node_modules', 'data', '.env*']) expect(ignored).toContain(name)
})
