import { expect } from '@playwright/test'
import { applies, numberIn, openPrices, panelOf, rowsOf, store, storedMap } from './price-acts.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
  await store(vendor, 'ModelPrice', { 'dall-e-3': 0.04 })
  await store(vendor, 'ModelRatio', { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075, free: 0 })
  await store(vendor, 'CompletionRatio', { 'gpt-4o': 4 })
  for (const map of [
    'CacheRatio',
    'CreateCacheRatio',
    'ImageRatio',
    'AudioRatio',
    'AudioCompletionRatio',
    'PriceSteps',
  ])
    await store(vendor, map, {})
})
test.afterEach(() => vendor.stop())

test('numbers are typed in their rows, and a price per request replaces the ratios', async ({ page }) => {
  const troubles = troublesOf(page)
  await openPrices(page, vendor, 'Visual ratio settings')
  const panel = panelOf(page, 'ratios')
  await panel.getByRole('searchbox', { name: 'Search models' }).fill('gpt-4o')
  await expect(numberIn(page, 'Model ratio', 'free')).toHaveCount(0)
  await numberIn(page, 'Price per request', 'gpt-4o').fill('abc')
  await panel.getByRole('searchbox').fill('')
  await panel.getByRole('button', { name: 'Apply changes' }).click()
  await expect(page.getByText('please check the input')).toBeVisible()
  await expect(numberIn(page, 'Price per request', 'gpt-4o')).toBeFocused()
  await expect(numberIn(page, 'Price per request', 'gpt-4o')).toHaveAccessibleDescription('Please enter a number')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('0')
  await expect(numberIn(page, 'Model ratio', 'gpt-4o')).toBeDisabled()
  await numberIn(page, 'Model ratio', 'free').fill('0.5')
  await numberIn(page, 'Model ratio', 'free').press('ArrowDown')
  await expect(numberIn(page, 'Model ratio', 'gpt-4o-mini')).toBeFocused()
  await panel.getByRole('button', { name: 'Delete dall-e-3' }).click()
  await expect(panel.getByText('3 unsaved changes')).toBeVisible()
  await panel.getByLabel('Show').selectOption('Unsaved changes')
  await expect(rowsOf(panel)).toHaveCount(3)
  await applies(page, panel)
  expect(await storedMap(vendor, 'ModelPrice')).toEqual({ 'gpt-4o': 0 })
  expect(await storedMap(vendor, 'ModelRatio')).toEqual({ 'gpt-4o-mini': 0.075, free: 0.5 })
  expect(await storedMap(vendor, 'CompletionRatio')).toEqual({})
  await panel.getByLabel('Show').selectOption('All models')
  await expect(numberIn(page, 'Price per request', 'gpt-4o')).toHaveValue('0')
  expect(troubles).toEqual([])
})
