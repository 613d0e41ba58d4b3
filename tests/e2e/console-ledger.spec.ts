import { expect, type Page } from '@playwright/test'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

async function openLedger(page: Page): Promise<void> {
  await signIn(page, vendor.url, '/ledger')
  await expect(page.getByRole('heading', { level: 1, name: 'Ledger check' })).toBeVisible()
}

const checksOf = (page: Page) => page.getByRole('table', { name: 'Recent checks' }).locator('tbody tr')

test('an administrator verifies new rows and everything, and reads what was compared', async ({ page }) => {
  const troubles = troublesOf(page)
  await openLedger(page)
  await expect(page.getByText('All balances match the ledger.')).toBeVisible()
  await expect(checksOf(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Check all' }).click()
  await expect(checksOf(page)).toHaveCount(2)
  const row = checksOf(page).first()
  for (const text of ['root', 'All entries', 'Verified']) await expect(row).toContainText(text)
  await expect(page.getByRole('button', { name: 'Check now' })).toBeEnabled()
  await page.getByRole('button', { name: 'Check now' }).focus()
  await page.keyboard.press('Enter')
  await expect(checksOf(page)).toHaveCount(3)
  await expect(checksOf(page).first()).toContainText('New entries')
  expect(troubles).toEqual([])
})
