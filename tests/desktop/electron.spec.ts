import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, expect, type Page, test } from '@playwright/test'
import type { Desktop } from '../../shared/desktop.ts'
import { skipWhere } from '../support/skip.ts'

const root = join(import.meta.dirname, '../..')
const PASSWORD = 'a-long-password'

let folder: string
let program: ElectronApplication | undefined
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-electron-'))
})
test.afterEach(async () => {
  await program?.close()
  program = undefined
  await rm(folder, { recursive: true, force: true })
})

skipWhere(!process.env.ELECTRON_PROGRAM, 'no Electron binary')

/** Starts the built program in real Electron, on its own folder and with a key that is not in a keychain. */
async function launch(environment: Record<string, string> = {}): Promise<ElectronApplication> {
  const { ELECTRON_PROGRAM: executablePath = '' } = process.env
  program = await _electron.launch({
    executablePath,
    args: [root, `--user-data-dir=${folder}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: environmentOf(environment),
  })
  return program
}

function environmentOf(more: Record<string, string>): Record<string, string> {
  const given = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const own = { DATA_DIR: join(folder, 'data'), PORT: '0', SWITCHYARD_MASTER_KEY: 'ab'.repeat(32) }
  return { ...Object.fromEntries(given), ...own, ...more }
}

/** Creates the first administrator in the window's own page. */
async function setUp(page: Page, mode: 'self' | 'external'): Promise<void> {
  for (const name of ['password', 'confirmPassword']) await page.locator(`[name=${name}]`).fill(PASSWORD)
  await page.locator('[name=username]').fill('root')
  await page.locator(`[name=mode][value=${mode}]`).check({ force: true })
  await page.locator('form button[type=submit]').click()
}

const signedInAs = (page: Page) => page.evaluate(() => localStorage.getItem('user') ?? '')
/** The preload's addition to the page. */
type InDesktop = { desktop: Desktop }
const ticketIn = (page: Page) => page.evaluate(() => (window as unknown as InDesktop).desktop.ticket())

/** The program's exit code, once it has ended. */
function endOf(app: ElectronApplication): Promise<unknown> {
  return new Promise((resolve) => {
    app.process().once('exit', (code) => {
      program = undefined
      resolve(code)
    })
  })
}

/** The program's menu: the labels of the bar, and those of its first entry. */
const menuOf = (app: ElectronApplication) =>
  app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items ?? []
    return { bar: items.map(({ label }) => label), first: items[0]?.submenu?.items.map(({ label }) => label) ?? [] }
  })

/**
 * Starts the program once more, as the user or the system does: the new instance exits at once, since one is running.
 */
async function launchAgain(...extra: string[]): Promise<void> {
  const { ELECTRON_PROGRAM = '' } = process.env
  const own = [root, `--user-data-dir=${folder}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  const second = spawn(ELECTRON_PROGRAM, [...own, ...extra], { env: environmentOf({}), stdio: 'ignore' })
  expect((await once(second, 'exit'))[0]).toBe(0)
}

test('opens the console in a hardened window and stops with it (docs/reference/security.md#desktop)', async () => {
  const app = await launch()
  const page = await app.firstWindow()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const seen = await page.evaluate(() => ({
    require: typeof (globalThis as Record<string, unknown>).require,
    process: typeof (globalThis as Record<string, unknown>).process,
    desktop: Object.keys((globalThis as unknown as { desktop: object }).desktop), // added by the preload
  }))
  expect(seen).toEqual({
    require: 'undefined',
    process: 'undefined',
    desktop: ['platform', 'ticket', 'handover', 'openPersonal', 'openUpdates', 'openLockedOut', 'connect'],
  })
  const states = await page.evaluate(() =>
    Promise.all(
      (['geolocation', 'notifications', 'camera', 'microphone'] as PermissionName[]).map(
        async (name) => (await navigator.permissions.query({ name })).state,
      ),
    ),
  )
  expect(states).not.toContain('granted')
  // Elsewhere it continues in the tray or in the dock.
  if (process.platform !== 'linux') return
  const ended = endOf(app)
  await page.close()
  expect(await ended).toBe(0)
})

test('keeps its window on the gateway; the web opens outside', async () => {
  const app = await launch()
  const page = await app.firstWindow()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = async (address) => void opened.push(address)
  })
  const { origin } = new URL(page.url())
  const strange = ['file:///etc/passwd', 'smb://host/share', 'ms-msdt:/id', 'https://elsewhere.example/', 'about:blank']
  for (const address of strange) {
    await page.evaluate((target) => {
      window.open(target)
      window.location.assign(target)
    }, address)
    await page.waitForTimeout(200)
    expect(new URL(page.url()).origin, address).toBe(origin)
  }
  expect(app.windows()).toHaveLength(1)
  const opened = await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)
  expect([...new Set(opened)]).toEqual(['https://elsewhere.example/'])
})

test('signs only its own window in automatically in self-use mode, also after a new start', async () => {
  const app = await launch()
  const page = await app.firstWindow()
  expect(await ticketIn(page)).toBeNull()
  await setUp(page, 'self')
  await expect.poll(() => signedInAs(page)).toContain('"root"')
  await program?.close()
  const again = await (await launch()).firstWindow()
  await expect.poll(() => signedInAs(again)).toContain('"root"')
})

test('has its administrator signed in after the setup, and requires the password later in external mode', async () => {
  const page = await (await launch()).firstWindow()
  const { origin } = new URL(page.url())
  await setUp(page, 'external')
  await expect(page).not.toHaveURL(/setup/)
  await expect.poll(() => signedInAs(page)).toContain('"root"')
  await page.evaluate(() => localStorage.removeItem('user'))
  await page.context().clearCookies()
  await page.goto(`${origin}/token`)
  await expect(page).toHaveURL(/\/login/)
  expect(await ticketIn(page)).toBeNull()
})

test('is one at a time: a second launch ends, and the page of its link is shown by the first', async () => {
  const app = await launch()
  const page = await app.firstWindow()
  await setUp(page, 'self')
  await expect.poll(() => signedInAs(page)).toContain('"root"')
  await launchAgain('switchyard://open/token')
  await expect(page).toHaveURL(/\/token$/)
  expect(app.windows()).toHaveLength(1)
})

test('runs without a window where that is set, and a start at login shows none', async () => {
  skipWhere(process.platform === 'win32', 'what it remembers lies elsewhere there')
  await writeFile(join(folder, 'desktop.json'), JSON.stringify({ staysInTray: true, isTrayKnown: true }))
  const app = await launch()
  await (await app.firstWindow()).close()
  await launchAgain('--hidden')
  expect(app.windows()).toHaveLength(0)
  const next = app.waitForEvent('window')
  await launchAgain()
  await expect((await next).getByRole('heading', { level: 1 })).toBeVisible()
})

/** A program with a running stream that ends when `finish` is called. */
async function aStream(environment: Record<string, string> = {}) {
  const app = await launch(environment)
  const page = await app.firstWindow()
  await setUp(page, 'self')
  await expect.poll(() => signedInAs(page)).toContain('"root"')
  let finish = () => {}
  const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
  const vendor = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(piece('slow'))
    finish = () => response.end(`${piece(' end')}data: [DONE]\n\n`)
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const { port } = vendor.address() as AddressInfo // it listens on a port, not on a pipe
  const key = await page.evaluate(async (base_url) => {
    const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
    const headers = { 'content-type': 'application/json', 'New-Api-User': String(id) }
    const channel = { type: 1, name: 'vendor', key: 'vendor-key', models: 'gpt-4o', group: 'default', base_url }
    await fetch('/api/channel', { method: 'POST', headers, body: JSON.stringify(channel) })
    const token = { name: 'own', unlimited_quota: true, remain_quota: 0, expired_time: -1 }
    const made = await fetch('/api/token', { method: 'POST', headers, body: JSON.stringify(token) })
    return (await made.json()).data.key as string
  }, `http://127.0.0.1:${port}`)
  const answer = await fetch(`${new URL(page.url()).origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hello' }] }),
  })
  const { origin } = new URL(page.url())
  return { app, origin, answer, finish: () => finish(), close: () => vendor.close() }
}

const isClosed = (origin: string) => fetch(`${origin}/api/status`).then(String, () => 'closed')

test('lets streams end before it quits', async () => {
  const { app, origin, answer, finish, close } = await aStream()
  const ended = endOf(app)
  await app.evaluate(({ app: shell }) => void setImmediate(() => shell.quit()))
  await expect.poll(() => isClosed(origin)).toBe('closed')
  finish()
  expect(await answer.text()).toContain(' end')
  expect(await ended).toBe(0)
  close()
})

test('does not delay a system that shuts down, even when it is quitting', async () => {
  const { app, origin, answer, close } = await aStream({ DRAIN_S: '3600' })
  const ended = endOf(app)
  await app.evaluate(({ app: shell }) => void setImmediate(() => shell.quit()))
  await expect.poll(() => isClosed(origin)).toBe('closed')
  await app.evaluate(({ powerMonitor }) => void setImmediate(() => powerMonitor.emit('shutdown')))
  expect(await answer.text()).toContain('"error"')
  expect(await ended).toBe(0)
  close()
})

test('shows the changes of setting a program up, and sends nothing of another page', async () => {
  const home = join(folder, 'home')
  const page = await (await launch({ HOME: home, USERPROFILE: home })).firstWindow()
  await page.getByRole('heading', { level: 1 }).waitFor()
  const plan = await page.evaluate(() =>
    (window as unknown as InDesktop).desktop.connect.plan({ client: 'claude-code', key: 'sk-1', model: 'm' }),
  )
  expect(plan).toMatchObject({ seal: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(JSON.stringify(plan)).not.toContain('sk-1')
})

test('confirms before the key goes into a file, and quits when its window is closed', async () => {
  skipWhere(process.platform !== 'linux', 'elsewhere the keychain is part of the system')
  const silent = { SWITCHYARD_MASTER_KEY: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
  const closing = await launch(silent)
  const consulted = await closing.firstWindow()
  const ended = endOf(closing)
  await consulted.close()
  expect(await ended).toBe(4)
  const app = await launch(silent)
  const page = await app.firstWindow()
  const next = app.waitForEvent('window')
  await page.locator('a[href$="/keyFile"]').click()
  await expect((await next).getByRole('heading', { level: 1 })).toBeVisible()
  expect(statSync(join(folder, 'data', 'master.key')).mode & 0o777).toBe(0o600)
})

test('has a native menu in the language of the system, then of the console', async () => {
  const app = await launch()
  const page = await app.firstWindow()
  for (const [language, edit] of [
    ['zh', '编辑'],
    ['en', 'Edit'],
  ] as const) {
    await page.evaluate((tag) => localStorage.setItem('i18nextLng', tag), language)
    await page.reload()
    await expect.poll(async () => (await menuOf(app)).bar).toContain(edit)
    expect((await menuOf(app)).bar).toHaveLength(4)
  }
  const ended = endOf(app)
  await app.evaluate(({ app: shell }) => shell.quit())
  expect(await ended).toBe(0)
})

test('offers another port where the usual one is taken, remembers it and can return to the usual one', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo // it listens on a port, not on a pipe
  const app = await launch({ PORT: String(port) })
  const page = await app.firstWindow()
  const next = app.waitForEvent('window')
  await page.locator('a[href$="/port"]').click()
  const window = await next
  expect(Number(new URL(window.url()).port)).toBeGreaterThan(port)
  await window.getByRole('heading', { level: 1 }).waitFor()
  await expect
    .poll(async () => (await menuOf(app)).first)
    .toContainEqual(expect.stringMatching(new RegExp(`Use port ${port} again|恢复使用端口 ${port}`)))
  other.close()
})
