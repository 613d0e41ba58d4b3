import { expect } from '@playwright/test'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel()
  await vendor.person('ann')
})
test.afterAll(() => vendor.stop())

test('who is no administrator neither finds nor sees the jobs', async ({ page }) => {
  await holdSession(page.context(), vendor.url, 'ann')
  await page.goto(`${vendor.url}/jobs`)
  await expect(page).toHaveURL(`${vendor.url}/token`)
  await expect(page.getByRole('navigation', { name: 'Menu' })).not.toContainText('Background jobs')
})
