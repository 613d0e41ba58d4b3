import { expect, type Page } from '@playwright/test'
import { dataOf, signedIn } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { movesPrograms, setsUp } from './stub-set-up.ts'
import { copiedBy, signIn, troublesOf } from './visitor.ts'

let fixture: ServedVendor
test.beforeEach(async () => {
  fixture = await servedVendor()
  await fixture.channel({ name: 'Main account', models: 'gpt-4o' })
})
test.afterEach(() => fixture.stop())

test('“It works” stays: a reload shows the last request, and the next one is shown at once', async ({ page }) => {
  const troubles = troublesOf(page)
  await signIn(page, fixture.url, '/connect/client')
  const card = page.getByRole('status').filter({ hasText: 'request' })
  await expect(card).toContainText('Waiting for the first request')
  await fixture.asks(fixture.root, 'gpt-4o')
  await page.reload()
  await expect(card).toContainText('Waiting for the first request')
  await page.getByLabel('API token').selectOption('laptop')
  await expect(card).toContainText('It works')
  await expect(card).toContainText('gpt-4o · 15 tokens')
  await page.reload()
  await page.getByLabel('API token').selectOption('laptop')
  await expect(card).toContainText(/It works.*Last request: gpt-4o · 15 tokens · \$\d\.\d{6} · \d{4}-\d\d-\d\d/)
  await fixture.channel({ name: 'Another', models: 'gpt-4o-mini' })
  await fixture.asks(fixture.root, 'gpt-4o-mini')
  await expect(card).toContainText('Last request: gpt-4o-mini')
  await expectAccessible(page)
  await fixture.asks(fixture.root, 'no-such-model')
  await expect(card).toContainText(/The last request failed.*no-such-model/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New' }).click()
  await expect(page.getByLabel('API token').locator('option:checked')).toHaveText('client 3')
  await expect(card).toContainText('Waiting for the first request')
  expect(troubles).toEqual([])
})

test('examples are for the reader’s system, and for the other one when chosen', async ({ browser }) => {
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
  const context = await browser.newContext({ userAgent, permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await signIn(page, fixture.url, '/connect/client')
  const panel = page.getByRole('tabpanel')
  await expect(panel).toContainText("$env:ANTHROPIC_BASE_URL = '")
  await page.getByRole('radio', { name: 'settings.json' }).click()
  await expect(panel).toContainText('Add to %USERPROFILE%\\.claude\\settings.json')
  const file = JSON.parse(await copiedBy(page, page.getByRole('button', { name: 'Copy settings.json' })))
  expect(file.env).toMatchObject({ ANTHROPIC_BASE_URL: fixture.url, ANTHROPIC_MODEL: 'gpt-4o' })
  expect(file.env.ANTHROPIC_AUTH_TOKEN).toMatch(/^sk-\w{48}$/)
  await page.getByRole('radio', { name: 'macOS, Linux' }).click()
  await expect(panel).toContainText('Add to ~/.claude/settings.json')
  await page.getByRole('tab', { name: 'curl' }).click()
  await expect(panel).toContainText('curl http')
  await page.getByRole('radio', { name: 'Windows' }).click()
  await expect(panel).toContainText('Invoke-RestMethod')
  await page.getByRole('tab', { name: 'Codex' }).click()
  const byCommand = page.getByRole('region', { name: 'Or set it up by a command' })
  await expect(byCommand).toContainText('npx --no switchyard connect codex')
  const command = await copiedBy(page, byCommand.getByRole('button', { name: 'Copy command' }))
  expect(command).toMatch(/^npx --no switchyard connect codex --url='http:\/\/\S+' --model='gpt-4o' --key='sk-\w{48}'$/)
  await page.getByRole('tab', { name: 'Zed' }).click()
  await expect(panel).toContainText('%APPDATA%\\Zed\\settings.json')
  await context.close()
})

test('a program gets the key only after a notice of that', async ({ page }) => {
  await signIn(page, fixture.url, '/connect/client')
  await page.evaluate(() => {
    window.open = (url) => {
      document.title = String(url)
      return null
    }
  })
  await page.getByRole('tab', { name: 'CC Switch' }).click()
  await page.getByRole('button', { name: 'Import for Codex' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Import into CC Switch' })
  await expect(dialog).toContainText('receives the address and the full key')
  const key = await firstKey()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).not.toHaveTitle(/ccswitch/)
  await page.getByRole('button', { name: 'Import for Codex' }).click()
  await dialog.getByRole('button', { name: 'Open CC Switch' }).click()
  const opened = new URL(await titleOf(page, /^ccswitch:/))
  expect(opened.searchParams.get('apiKey')).toBe(key)
  expect(opened.searchParams.get('endpoint')).toBe(`${fixture.url}/v1`)
  await page.getByRole('tab', { name: 'Cherry Studio' }).click()
  await page.getByRole('button', { name: 'Import into Cherry Studio' }).click()
  await page.getByRole('button', { name: 'Open Cherry Studio' }).click()
  const data = new URL(await titleOf(page, /^cherrystudio:/)).searchParams.get('data') ?? ''
  expect(JSON.parse(atob(data))).toMatchObject({ baseUrl: fixture.url, apiKey: key })
})

/** The address that the page opened, which the test makes its title. */
async function titleOf(page: Page, scheme: RegExp): Promise<string> {
  await expect(page).toHaveTitle(scheme)
  return page.title()
}

/** The key of the token that the page created. */
async function firstKey(): Promise<string> {
  const root = await signedIn(fixture.url, ROOT.username, ROOT.password)
  const [token] = dataOf(await root.get('/api/token/search?keyword=first%20client'))
  return `sk-${token.key}`
}

test('in the desktop, programs at an old port are listed, shown, and updated by one click', async ({ page }) => {
  await signIn(page, fixture.url, '/connect/client')
  await expect(page.getByRole('region', { name: 'Programs at the old address' })).toHaveCount(0)
  await movesPrograms(page)
  const moved = page.getByRole('region', { name: 'Programs at the old address' })
  await expect(moved).toContainText('Programs that still point at the old address of this gateway: 2')
  await expect(moved).toContainText('Claude Code http://127.0.0.1:6411')
  await moved.getByRole('button', { name: 'Show changes' }).click()
  await expect(moved.getByRole('insertion')).toContainText('http://127.0.0.1:6412')
  await expect(moved).toContainText(
    'The address of Codex was changed by someone else in the meantime. Nothing was written.',
  )
  await expectAccessible(page)
  await moved.getByRole('button', { name: 'Write the new address' }).click()
  await expect(moved.getByRole('status')).toContainText('Claude Code now points at this gateway.')
  await expect(moved).toContainText('old address of this gateway: 1')
})

test('the effect on the threads of Codex is explained before its file is written, and next to Undo', async ({
  page,
}) => {
  await signIn(page, fixture.url, '/connect/client')
  const setUp = page.getByRole('region', { name: 'Set up on this computer' })
  const threads = setUp.getByText('Codex remembers the provider of each thread.')
  await setsUp('plan', 'codex')(page)
  await expect(setUp.getByRole('button', { name: 'Write and test' })).toBeVisible()
  await expect(threads).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await setsUp('done', 'codex')(page)
  await expect(threads).toBeVisible()
  await setUp.getByRole('button', { name: 'Undo' }).click()
  await expect(setUp.getByRole('status')).toContainText(
    'Undone: everything else is as it was before. The provider “switchyard” stays without its key',
  )
  await page.reload()
  await setsUp('done')(page)
  await expect(setUp.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect(threads).toHaveCount(0)
})
