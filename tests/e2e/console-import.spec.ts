import { expect, type Page } from '@playwright/test'
import { SIBLING_HASH, siblingDatabase } from '../support/sibling-database.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const theirs = () =>
  siblingDatabase('new-api', {
    users: [
      { id: 1, username: 'root', password: SIBLING_HASH, role: 100, quota: 500_000, aff_code: 'a' },
      { id: 2, username: 'person', password: SIBLING_HASH, quota: 70, aff_code: 'b' },
    ],
    tokens: [{ user_id: 2, key: 'k'.repeat(48), name: 'laptop', unlimited_quota: 1 }],
    channels: [
      { id: 1, type: 1, key: 'key', name: 'main', models: 'gpt-4o', base_url: vendor.upstream.url },
      { id: 2, type: 52, key: 'key', name: 'video', models: 'video' },
    ],
    options: [{ key: 'RetryTimes', value: '4' }],
  })

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: /^Choose/ }).click()
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer })
}

const region = (page: Page, name: string) => page.getByRole('region', { name })

test('a file is described, then imported after a confirmation word, and the console shows the imported data', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await signIn(page, vendor.url)
  await page.goto(vendor.url)
  await page.getByRole('link', { name: 'Import from another gateway' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Import from another gateway' })).toBeVisible()
  await choose(page, 'one-api.db', await theirs())
  const report = region(page, 'Report')
  await expect(report).toContainText('The file comes from new-api. Nothing has been written yet.')
  await expect(report).toBeFocused()
  await expect(report.getByRole('row', { name: /^Users 2 2 0 0 0/ })).toBeVisible()
  await expect(report.getByRole('table', { name: 'Settings that change' })).toContainText('Retries on failure24')
  await expect(report).toContainText('The name is already in use. The user becomes root-2.')
  await report.getByRole('radio', { name: 'Left out' }).click()
  await expect(report).toContainText('Channel type 52 is not supported.')
  await expect(report).not.toContainText('root-2')
  // A changed choice requires a new report.
  await page.getByText('Do not import, and add the tokens to my account').click()
  await expect(report.getByRole('button', { name: 'Import' })).toHaveCount(0)
  await report.getByRole('button', { name: 'Check again' }).click()
  await expect(report.getByRole('row', { name: /^Users 2 1 1 0 0/ })).toBeVisible()
  // After a reload the report shows the choices it is based on.
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Do not import, and add the tokens to my account' })).toBeChecked()
  await report.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Import one-api.db?' })
  await expect(dialog).toContainText('users (1), API tokens (1), channels (1)')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByText('The import is complete.')).toBeVisible()
  await page.getByRole('link', { name: 'Test the channels' }).click()
  await expect(page.getByRole('row', { name: /#1 main/ })).toBeVisible()
  await page.goto(`${vendor.url}/import`)
  await page.getByRole('button', { name: 'Import another file' }).press('Enter')
  await expect(region(page, 'Supported files')).toBeFocused()
  expect(troubles).toEqual([])
})
