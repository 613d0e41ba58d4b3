import { expect } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
})
test.afterAll(() => vendor.stop())

test('it shows the day and the channels, sets a missing price on the spot, and leads to failures', async ({ page }) => {
  const troubles = troublesOf(page)
  dataOf(await vendor.root.put('/api/option', { key: 'ModelRatio', value: '{"gpt-4o":1.25}' }))
  await vendor.channel({ name: 'Main account', models: 'gpt-4o,house-model' })
  await vendor.asks(vendor.root, 'gpt-4o')
  vendor.upstream.answers({ status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } })
  await vendor.asks(vendor.root, 'gpt-4o')
  await vendor.inner.ledger.flush()
  await signIn(page, vendor.url, '/')
  const figure = (name: string) => page.locator('.dash-figure', { hasText: name }).locator('dd').first()
  await expect(figure('Requests')).toHaveText('1')
  await expect(figure('Errors')).toHaveText('1')
  await expect(figure('Cost')).toContainText('$')
  await expect(page.getByText('All channels are working (1).')).toBeVisible()

  const price = page.getByRole('group', { name: 'Price of house-model' })
  await price.getByLabel('Input, per 1M tokens').fill('2.5')
  await price.getByLabel('Output, per 1M tokens').fill('10')
  await price.getByLabel('Output, per 1M tokens').press('Enter')
  await expect(page.getByText('Price of house-model saved')).toBeVisible()
  const prices = dataOf(await vendor.root.post('/api/channel/prices', { models: ['house-model', 'gpt-4o'] }))
  expect(prices).toMatchObject([{ input: 2.5, output: 10 }, { input: 2.5 }])

  await figure('Errors').getByRole('link').click()
  await expect(page).toHaveURL(/\/log\?/)
  expect(troubles).toEqual([])
})
