import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect as expectAtOnce, type Page } from '@playwright/test'
import { aProgram, type Program } from '../desktop/program.ts'
import { aCertificate } from '../gateway/channels/testing/certificate.ts'
import { ROOT } from './gateway.ts'
import { test } from './shared-browser.ts'

/** Each test starts a program and its own browser. */
const expect = expectAtOnce.configure({ timeout: 30_000 })
test.describe.configure({ timeout: 300_000 })
/** The program ends its browser itself; a trace in progress would count that as a failure of the next test. */
test.use({ trace: 'off', screenshot: 'off' })

/** The file of a release: a program that records that it was started. */
const NEW = '#!/bin/sh\necho "$1" > "$0.started"\n'
const NAME = 'switchyard-9.9.9-linux-x86_64.AppImage'

/** A release on a local server, whose certificate is trusted by programs started with `certificates`. */
async function aRelease(folder: string) {
  const { key, cert } = aCertificate()
  const sha512 = createHash('sha512').update(NEW).digest('base64')
  const feed = [
    'version: 9.9.9',
    `files: [{ url: ${NAME}, sha512: ${sha512}, size: ${NEW.length} }]`,
    "releaseDate: '2026-12-01T10:00:00.000Z'",
    'releaseNotes: "Faster. <script>alert(1)</script>"',
  ].join('\n')
  const asked: string[] = []
  const server = createServer({ key, cert }, ({ url = '' }, response) => {
    asked.push(url.split('?')[0] ?? '')
    response.end(url.includes('.yml') ? feed : NEW)
  })
  await once(server.listen(0, 'localhost'), 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  const certificates = join(folder, 'server.pem')
  await writeFile(certificates, cert)
  await writeFile(join(folder, 'app-update.yml'), `provider: generic\nurl: https://localhost:${port}\n`)
  return { asked, certificates, stop: () => server.close() }
}

test('updates on request, after a backup, and then shows how to go back', async () => {
  // The feed and the file are those of Linux.
  if (process.platform !== 'linux') return
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-update-'))
  const release = await aRelease(folder)
  const APPIMAGE = join(folder, 'Switchyard.AppImage')
  await writeFile(APPIMAGE, 'old')
  const environment = {
    ...{
      APPIMAGE,
      APPDIR: dirname(process.execPath),
      NODE_EXTRA_CA_CERTS: release.certificates,
      SWITCHYARD_MASTER_KEY: 'ab'.repeat(32),
    },
  }
  const program = await aProgram({ folder, environment })
  const window = await program.page('http://127.0.0.1:')
  await window.getByRole('heading', { level: 1 }).waitFor()
  expect(release.asked, 'nothing is asked before somebody wants it').toEqual([])
  await setUp(window)
  await window.goto(new URL('/setting?tab=other', window.url()).href)
  await window.getByRole('button', { name: 'Check for updates' }).click()
  const first = await program.page('data:text/html')
  await Promise.all([first.waitForEvent('close'), first.getByRole('link', { name: 'Close' }).click()])
  program.order({ click: 'Check for updates…' })
  const page = await program.page('data:text/html')
  const what = page.locator('.what')
  await expect(what).toHaveText('Switchyard 9.9.9 is available. You have 0.1.0.')
  await expect(page.locator('.notes')).toHaveText('Faster. <script>alert(1)</script>')
  expect(release.asked.filter((path) => !path.endsWith('.yml'))).toEqual([])
  await page.getByRole('link', { name: 'Download' }).click()
  await expect(what).toHaveText('Switchyard 9.9.9 is ready to install.')

  // Without a backup, there is no update.
  await writeFile(join(folder, 'backups'), 'in the way')
  await page.getByRole('link', { name: 'Restart and install' }).click()
  await expect(what).toContainText('because the backup before it failed')
  expect(await readFile(APPIMAGE, 'utf8')).toBe('old')
  expect((await fetch(`${new URL(window.url()).origin}/api/status`)).status).toBe(200)
  await rm(join(folder, 'backups'))

  await page.getByRole('link', { name: 'Restart and install' }).click()
  expect(await program.ended).toBe(0)
  await expect.poll(() => readFile(APPIMAGE, 'utf8')).toBe(NEW)
  await expect.poll(() => existsSync(`${APPIMAGE}.started`)).toBe(true)
  const [backup = ''] = (await readdir(join(folder, 'backups'))).filter((name) => name.endsWith('.db'))
  await wentOn(folder, environment, backup)
  release.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Creates the first administrator in the window's own page, where the program then logs them in. */
async function setUp(page: Page): Promise<void> {
  await page.locator('[name=username]').fill(ROOT.username)
  await page.locator('[name=password]').fill(ROOT.password)
  await page.locator('[name=confirmPassword]').fill(ROOT.password)
  await page.getByText('Self-use', { exact: true }).click()
  await page.getByRole('button', { name: 'Finish setup' }).click()
  await expect(page).not.toHaveURL(/setup/)
}

/** The new release announces itself once, and its page explains how to go back. */
async function wentOn(folder: string, environment: Record<string, string>, backup: string): Promise<void> {
  const titles = (program: Program) => program.reports.flatMap((said) => ('told' in said ? [said.told.title] : []))
  const next = await aProgram({ folder, environment: { ...environment, DOUBLE_VERSION: '9.9.9' } })
  await next.page('http://127.0.0.1:')
  await expect.poll(() => titles(next)).toEqual(['Updated to Switchyard 9.9.9'])
  next.order({ press: 'Updated to Switchyard 9.9.9' })
  const back = await next.page('data:text/html')
  await expect(back.getByRole('heading', { level: 2, name: 'Go back to 0.1.0' })).toBeVisible()
  await expect(back.locator('ol')).toContainText(backup)
  await back.getByRole('link', { name: 'Check daily' }).click()
  const tray = () => next.reports.flatMap((said) => ('tray' in said ? [said.tray] : [])).at(-1)
  await expect.poll(tray).toContain('✓ Check for updates daily')
  next.order({ click: 'Updates' })
  await expect.poll(tray).not.toContain('✓ Updates')
  await expect(back.locator('.what')).toHaveText('Switchyard 9.9.9 is the latest version.')
  next.order({ click: 'Quit Switchyard' })
  expect(await next.ended).toBe(0)
  const { checksDaily, silenced } = JSON.parse(await readFile(join(folder, 'desktop.json'), 'utf8'))
  expect([checksDaily, silenced]).toEqual([true, ['updates']])
}
