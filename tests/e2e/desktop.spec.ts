import { expect as expectAtOnce } from '@playwright/test'
import type { Desktop } from '../../shared/desktop.ts'
import { aProgram, type Program, type Wanted } from '../desktop/program.ts'
import { test } from './shared-browser.ts'

/** Each test starts a program and its own browser. */
const expect = expectAtOnce.configure({ timeout: 30_000 })
test.describe.configure({ timeout: 300_000 })
/** The program ends its browser itself; a trace in progress would count that as a failure of the next test. */
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

/** The preload's addition to the page. */
type InDesktop = { desktop: Desktop }

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
    'openLockedOut',
    'connect',
  ])
  await page.close()
  expect(await program.ended).toBe(0)
})
