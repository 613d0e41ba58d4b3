import { expect, type Page } from '@playwright/test'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: /^Choose/ }).click()
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer })
}

const region = (page: Page, name: string) => page.getByRole('region', { name })

test('an invalid file is refused with the reason, and variables of a config.yaml are requested', async ({ page }) => {
  await signIn(page, vendor.url, '/import')
  await choose(page, 'noise.db', Buffer.from([0, 1, 2, 3, 255]))
  await expect(page.getByText('The file is not a SQLite database, or it is encrypted.').first()).toBeVisible()
  await expect(region(page, 'Supported files')).toBeFocused()
  const config = `model_list: [{ model_name: gpt-4o, litellm_params: { model: openai/gpt-4o, api_key: os.environ/OPENAI_KEY } }]`
  await choose(page, 'config.yaml', Buffer.from(config))
  const report = region(page, 'Report')
  await expect(report).toContainText('not given. The channel is imported disabled')
  await page.getByLabel('OPENAI_KEY').fill('sk-theirs')
  await report.getByRole('button', { name: 'Check again' }).click()
  await expect(report).not.toContainText('imported disabled')
  await region(page, 'File').getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(region(page, 'Supported files')).toBeFocused()
})

test('an administrator who is not the super administrator is led past it', async ({ page }) => {
  await vendor.person('helper')
  await vendor.inner.db.updateTable('users').set({ role: 10 }).where('username', '=', 'helper').execute()
  await holdSession(page.context(), vendor.url, 'helper')
  await page.goto(`${vendor.url}/import`)
  await expect(page).toHaveURL(`${vendor.url}/detail`)
})
