import { expect } from '@playwright/test'
import { PASSWORD } from '../support/world.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel()
  await vendor.person('ann')
})
test.afterAll(() => vendor.stop())

test('root backs up, exports the key, has a backup restored at the next start, and thinks better of it', async ({
  page,
}) => {
  await signIn(page, vendor.url)
  await page.goto(`${vendor.url}/jobs`)
  const list = page.getByRole('list', { name: 'Backups' })
  await page.getByRole('button', { name: 'Back up now' }).click()
  await expect(page.getByText(/^Backup made: switchyard-/)).toBeVisible()
  const one = list.getByRole('listitem').first()
  await expect(one).toContainText('Verified')
  await expect(one).toContainText('manual')
  await page.getByRole('button', { name: 'Export data key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Passphrase', { exact: true }).fill('too short')
  await dialog.getByRole('button', { name: 'Save key file' }).click()
  await expect(dialog).toContainText('Enter at least 12 characters')
  await dialog.getByLabel('Your password').fill('not my password')
  await dialog.getByLabel('Passphrase', { exact: true }).fill('correct horse battery')
  await dialog.getByLabel('Passphrase again').fill('correct horse battery')
  await dialog.getByRole('button', { name: 'Save key file' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save key file' }).click()
  expect((await download).suggestedFilename()).toMatch(/^switchyard-key-[0-9a-f]{8}\.json$/)
  await expect(dialog).toBeHidden()
  await one.getByRole('button', { name: /^Restore the backup of/ }).click()
  await page.getByRole('button', { name: 'Restore at next start' }).click()
  await expect(page.getByText('A backup will be restored at the next start')).toBeVisible()
  await page.getByRole('button', { name: 'Keep the database' }).click()
  await expect(page.getByText('A backup will be restored at the next start')).toBeHidden()
  await one.getByRole('button', { name: /^Delete the backup of/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No backups yet.')).toBeVisible()
})
