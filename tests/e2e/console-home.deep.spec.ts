import { expect } from '@playwright/test'
import { readyGateway } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
})
test.afterAll(() => vendor.stop())

test('with nothing there yet it leads to the first provider (docs/reference/screens.md#home)', async ({ page }) => {
  const gateway = await readyGateway()
  await signIn(page, gateway.url, '/')
  await page.getByRole('main').getByRole('link', { name: 'Connect a provider' }).click()
  await expect(page).toHaveURL(`${gateway.url}/connect/provider`)
  await gateway.stop()
})

test('reports that it cannot be read and tries again', async ({ page }) => {
  await page.route('**/api/overview?*', (route) => route.fulfill({ json: { success: false, message: 'Too busy' } }))
  await signIn(page, vendor.url, '/')
  await expect(page.getByText('Too busy')).toBeVisible()
  await page.unroute('**/api/overview?*')
  await page
    .getByRole('button', { name: 'Try again' })
    .or(page.getByRole('button', { name: 'Retry' }))
    .click()
  await expect(page.locator('.dash-figures')).toBeVisible()
})
