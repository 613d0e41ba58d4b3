import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect as expectAtOnce, type Page } from '@playwright/test'
import type { Desktop } from '../../shared/desktop.ts'
import { aProgram, type Program, type Wanted } from '../desktop/program.ts'
import { ROOT } from './gateway.ts'
import { test } from './shared-browser.ts'

/** A whole program and a browser of its own start with each test. */
const expect = expectAtOnce.configure({ timeout: 30_000 })
test.describe.configure({ timeout: 300_000 })
/** The program ends its browser itself, which a trace still being written takes for a failure of the next test. */
test.use({ trace: 'off', screenshot: 'off' })

let programs: Program[] = []
const start = async (wanted?: Wanted) => {
  const program = await aProgram(wanted)
  programs.push(program)
  return program
}
test.afterEach(async () => {
  await Promise.all(programs.map((program) => program.stop()))
  programs = []
})

const LOOPBACK = 'http://127.0.0.1'

/** Makes the first administrator in the window's own page. */
async function setUp(page: Page, mode: 'Self-use' | 'External'): Promise<void> {
  await page.locator('[name=username]').fill(ROOT.username)
  await page.locator('[name=password]').fill(ROOT.password)
  await page.locator('[name=confirmPassword]').fill(ROOT.password)
  await page.getByText(mode, { exact: true }).click()
  await page.getByRole('button', { name: 'Finish setup' }).click()
}

/** What the preload adds to the page. */
type InDesktop = { desktop: Desktop }
const ticketIn = (page: Page) => page.evaluate(() => (window as unknown as InDesktop).desktop.ticket())
const signedInAs = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null')?.username ?? null)

test('opens the console in a hardened window and stops with it', async () => {
  const program = await start()
  const page = await program.page(`${LOOPBACK}:`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up Switchyard')
  await expect
    .poll(() => program.reports.find((said) => 'window' in said)?.window)
    .toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      allowRunningInsecureContent: false,
      partition: 'persist:console',
      devTools: false,
    })
  expect(await page.evaluate(() => Object.keys((window as unknown as InDesktop).desktop))).toEqual([
    'platform',
    'ticket',
    'handover',
    'openPersonal',
    'openUpdates',
    'connect',
  ])
  await page.close()
  expect(await program.ended).toBe(0)
})

test('signs its window in by itself in self-use mode, also after a new start, and nobody else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-desktop-'))
  const environment = { SWITCHYARD_MASTER_KEY: 'ab'.repeat(32) }
  const first = await start({ folder, environment })
  const page = await first.page(`${LOOPBACK}:`)
  expect(await ticketIn(page)).toBeNull()
  await setUp(page, 'Self-use')
  await expect.poll(() => signedInAs(page)).toBe('root')
  await page.close()
  expect(await first.ended).toBe(0)
  const second = await start({ folder, environment })
  const again = await second.page(`${LOOPBACK}:`)
  await again.goto(`${new URL(again.url()).origin}/token`)
  await expect(again.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => signedInAs(again)).toBe('root')
  await rm(folder, { recursive: true, force: true })
})
