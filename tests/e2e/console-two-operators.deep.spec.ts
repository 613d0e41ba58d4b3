import { expect } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const put = async (key: string, value: unknown) => void dataOf(await vendor.root.put('/api/option', { key, value }))

test('retention: a value that was saved elsewhere meanwhile is shown first, and the input stays', async ({ page }) => {
  await signIn(page, vendor.url, '/ledger')
  const days = page.getByLabel('Keep usage log entries (days)')
  const size = page.getByLabel('Maximum size of usage logs (MB)')
  await days.fill('30')
  await put('LogRetentionDays', 100)
  await put('LogRetentionMegabytes', 777)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Nothing was saved, because these settings were changed in the meantime/)).toBeVisible()
  await expect(size).toHaveValue('777')
  await expect(days).toHaveValue('30')
  expect(vendor.inner.settings.get('LogRetentionDays')).toBe(100)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(vendor.inner.settings.get('LogRetentionDays')).toBe(30)
})

test('the price of one model is merged with those that another administrator saves at the same moment', async ({
  page,
}) => {
  await put('ModelRatio', '{"known":1}')
  await vendor.channel({ models: 'known,unpriced' })
  await signIn(page, vendor.url, '/explain-routing?model=unpriced')
  await page.getByLabel('Input, per 1M tokens').fill('2')
  await page.getByLabel('Output, per 1M tokens').fill('8')
  let isFirst = true
  await page.route(/\/api\/option\/batch/, async (route) => {
    // Between the page's read and its save.
    if (isFirst) await put('ModelRatio', '{"known":1,"other":5}')
    isFirst = false
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save price' }).click()
  await expect(page.getByText('Price of unpriced saved')).toBeVisible()
  const { settings } = vendor.inner
  expect(settings.get('ModelRatio')).toEqual({ known: 1, other: 5, unpriced: 1 })
  expect(settings.get('CompletionRatio').unpriced).toBe(4)
})
