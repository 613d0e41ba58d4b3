import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { type Client, dataOf } from '../support/client.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './accessible.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, tick, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const put = async (who: Client, key: string, value: unknown) =>
  void dataOf(await who.put('/api/option', { key, value }))

async function operator(username: string): Promise<Client> {
  const who = await vendor.person(username)
  await vendor.inner.db.updateTable('users').set({ role: 10 }).where('username', '=', username).execute()
  return who
}

const drawer = (page: Page, name: string) => page.getByRole('dialog', { name })
const rowsIn = (page: Page) =>
  drawer(page, 'Settings history').getByRole('table').first().locator(':scope > tbody > tr')

test('a link leads to the history of one setting; a later change is shown before it is undone', async ({ page }) => {
  const alice = await operator('alice')
  await put(vendor.root, 'RetryTimes', 5)
  await put(vendor.root, 'Price', 8)
  await signIn(page, vendor.url, '/setting?history=RetryTimes')
  await expect(rowsIn(page)).toHaveCount(1)
  await put(alice, 'RetryTimes', 7)
  await rowsIn(page).first().getByRole('button', { name: /^Undo/ }).click()
  const ask = page.getByRole('alertdialog')
  await ask.getByRole('button', { name: 'Undo' }).click()
  await expect(ask).toContainText('changed again by alice')
  await expect(ask).toContainText('7')
  await expectAccessible(page)
  expect(vendor.inner.settings.get('RetryTimes')).toBe(7)
  await ask.getByRole('button', { name: 'Undo anyway' }).click()
  await expect(rowsIn(page)).toHaveCount(3)
  expect(vendor.inner.settings.get('RetryTimes')).toBe(2)
  await drawer(page, 'Settings history').getByLabel('Setting', { exact: true }).selectOption('')
  await expect(rowsIn(page).nth(2)).toContainText('Price per USD')
})

test('all settings go into a file without secrets, and come back from it after a dry run', async ({ page }) => {
  const troubles = troublesOf(page)
  await put(vendor.root, 'RetryTimes', 5)
  await put(vendor.root, 'Notice', 'Maintenance tonight')
  await put(vendor.root, 'SMTPToken', 'canary')
  await signIn(page, vendor.url, '/setting')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^switchyard-settings-\d{4}-\d{2}-\d{2}\.json$/)
  const file = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(file).toMatchObject({ product: 'Switchyard', version: 1, options: { RetryTimes: '5' } })
  expect(JSON.stringify(file)).not.toContain('canary')
  await put(vendor.root, 'RetryTimes', 9)
  await put(vendor.root, 'Notice', '')
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = drawer(page, 'Import settings')
  await choose(page, { ...file, options: { ...file.options, NoSuchOption: '1', ModelRatio: '{', SMTPToken: 'x' } })
  await expect(dialog).toContainText('Would change (2)')
  for (const text of ['Cannot be imported (1)', 'This is not valid JSON', 'Left as they are (2)'])
    await expect(dialog).toContainText(text)
  await expectAccessibleInBothThemes(page)
  await tick(dialog.getByLabel(/^Notice/), false)
  await dialog.getByRole('button', { name: 'Import 1 setting' }).click()
  await expect(page.getByText('1 setting was imported')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  const { settings } = vendor.inner
  expect([settings.get('RetryTimes'), settings.get('Notice'), settings.get('SMTPToken')]).toEqual([5, '', 'canary'])
  await expect(page.getByRole('textbox', { name: 'Retries on failure' })).toHaveValue('5')
  expect(troubles).toEqual([])
})

test('an import reports a file that is not a settings file, and changes since the dry run', async ({ page }) => {
  const alice = await operator('alice')
  await signIn(page, vendor.url, '/setting?import')
  const dialog = drawer(page, 'Import settings')
  await choose(page, 'no JSON')
  await expect(dialog).toContainText('This file is not valid JSON')
  await choose(page, { name: 'package', version: '1.0.0' })
  await expect(dialog).toContainText('This is not a settings file of Switchyard')
  await choose(page, { product: 'Switchyard', version: 99, options: {} })
  await expect(dialog).toContainText('made by a newer release')
  await choose(page, { product: 'Switchyard', version: 1, options: { RetryTimes: 5 } })
  await expect(dialog).toContainText('Would change (1)')
  await put(alice, 'RetryTimes', 7)
  await dialog.getByRole('button', { name: 'Import 1 setting' }).click()
  await expect(dialog).toContainText('Nothing was imported, because some of these settings were changed')
  await expect(dialog.getByRole('definition').first()).toHaveText('7')
  await dialog.getByRole('button', { name: 'Import 1 setting' }).click()
  await expect(dialog).toHaveCount(0)
  expect(vendor.inner.settings.get('RetryTimes')).toBe(5)
})

/** Chooses a file with these contents in the open drawer. */
async function choose(page: Page, contents: unknown): Promise<void> {
  const text = typeof contents === 'string' ? contents : JSON.stringify(contents)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'settings.json', mimeType: 'application/json', buffer: Buffer.from(text) })
}
