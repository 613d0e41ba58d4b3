import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, expect, test } from '@playwright/test'

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

/** Starts the built program in real Electron, on a folder of its own and with a key that is in no keychain. */
async function launch(environment: Record<string, string> = {}): Promise<ElectronApplication> {
  const { ELECTRON_PROGRAM: executablePath } = process.env
  if (!executablePath) throw new Error('start these tests with: npm run desktop -- --test')
  const given = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  program = await _electron.launch({
    executablePath,
    args: [root, `--user-data-dir=${folder}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: {
      ...Object.fromEntries(given),
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      SWITCHYARD_MASTER_KEY: 'ab'.repeat(32),
      ...environment,
    },
  })
  return program
}

test('its window is hardened (docs/reference/security.md#desktop)', async () => {
  const app = await launch()
  const page = await app.firstWindow()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const seen = await page.evaluate(() => ({
    require: typeof (globalThis as Record<string, unknown>).require,
    process: typeof (globalThis as Record<string, unknown>).process,
    desktop: Object.keys((globalThis as unknown as { desktop: object }).desktop), // the preload puts it there
  }))
  expect(seen).toEqual({
    require: 'undefined',
    process: 'undefined',
    desktop: ['platform', 'ticket', 'handover', 'openPersonal', 'openUpdates', 'connect'],
  })
  const states = await page.evaluate(() =>
    Promise.all(
      (['geolocation', 'notifications', 'camera', 'microphone'] as PermissionName[]).map(
        async (name) => (await navigator.permissions.query({ name })).state,
      ),
    ),
  )
  expect(states).not.toContain('granted')
})

test('its window goes nowhere else', async () => {
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

test('signs its window in by itself in self-use mode', async () => {
  const app = await launch()
  const page = await app.firstWindow()
  for (const name of ['password', 'confirmPassword']) await page.locator(`[name=${name}]`).fill(PASSWORD)
  await page.locator('[name=username]').fill('root')
  await page.locator('[name=mode][value=self]').check({ force: true })
  await page.locator('form button[type=submit]').click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toContain('"root"')
})

test('has its menu, and quits with code 0', async () => {
  const app = await launch()
  await app.firstWindow()
  const labels = await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label))
  expect(labels).toHaveLength(4)
  const ended = new Promise((resolve) => app.process().once('exit', resolve))
  await app.evaluate(({ app: shell }) => shell.quit())
  expect(await ended).toBe(0)
  program = undefined
})

test('mends a taken port on the startup page', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo // it listens on a port, not on a pipe
  const app = await launch({ PORT: String(port) })
  const page = await app.firstWindow()
  const next = app.waitForEvent('window')
  await page.locator('a[href$="/port"]').click()
  expect(Number(new URL((await next).url()).port)).toBeGreaterThan(port)
  other.close()
})
