import { expect, type Locator, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
  await put('ModelRatio', { 'gpt-4o': 1.25, o1: 9, mine: 1 })
  await put('ModelPrice', {})
  await vendor.channel({ models: 'gpt-4o,fresh' })
})
test.afterEach(() => vendor.stop())

const put = async (key: string, value: object) =>
  dataOf(await vendor.root.put('/api/option', { key, value: JSON.stringify(value) }))
const ratios = () => vendor.inner.settings.get('ModelRatio')
const toast = (page: Page, text: string) => page.getByText(text)
const rowOf = (drawer: Locator, model: string) => drawer.getByRole('row').filter({ hasText: model })

const file = {
  name: 'prices.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify({
      model_ratio: { 'gpt-4o': 2.5, o1: 7.5, fresh: 0.5, unheard: 3 },
      completion_ratio: { 'gpt-4o': 4 },
      cache_ratio: { 'gpt-4o': 0.5 },
    }),
  ),
}

async function openPrices(page: Page): Promise<Locator> {
  await signIn(page, vendor.url, '/setting')
  const section = page.getByRole('region', { name: 'Price updates' })
  await expect(section).toBeVisible()
  return section
}

/** Opens the drawer and compares with the file. */
async function compareFile(page: Page): Promise<Locator> {
  const section = await openPrices(page)
  await section.getByRole('button', { name: 'Update prices' }).click()
  const drawer = page.getByRole('dialog', { name: 'Update prices' })
  await drawer.getByText('From a file').click()
  await drawer.locator('input[type=file]').setInputFiles(file)
  await drawer.getByRole('button', { name: 'Compare' }).click()
  await expect(
    drawer.getByText('Compared with a gateway (/api/ratio_config). Models in the catalogue: 4'),
  ).toBeVisible()
  return drawer
}

test('an administrator compares with a file, takes over what is suggested, and undoes it', async ({ page }) => {
  const troubles = troublesOf(page)
  const drawer = await compareFile(page)
  await expect(rowOf(drawer, 'gpt-4o').getByRole('checkbox')).toBeChecked()
  for (const text of ['$2.5', '$5', 'per 1M tokens', 'ratio 2.5', '+100%'])
    await expect(rowOf(drawer, 'gpt-4o')).toContainText(text)
  await expect(rowOf(drawer, 'fresh').getByRole('checkbox')).toBeChecked()
  await expect(rowOf(drawer, 'o1').getByRole('checkbox')).not.toBeChecked()
  await expect(rowOf(drawer, 'o1')).toContainText('Set by hand')
  await expect(rowOf(drawer, 'unheard').getByRole('checkbox')).not.toBeChecked()
  await expectAccessible(page)

  await rowOf(drawer, 'o1').getByRole('checkbox').check({ force: true })
  await expect(drawer.getByText('Selected prices that were set by hand and will be overwritten: 1')).toBeVisible()
  await rowOf(drawer, 'o1').getByRole('checkbox').uncheck({ force: true })
  await drawer.getByRole('button', { name: 'Apply prices (2)' }).click()
  await expect(toast(page, 'Prices updated: 2')).toBeVisible()
  await expect(drawer).toHaveCount(0)
  expect(ratios()).toEqual({ 'gpt-4o': 2.5, o1: 9, mine: 1, fresh: 0.5 })

  const section = page.getByRole('region', { name: 'Price updates' })
  await expect(section).toContainText('Last update from a gateway')
  await section.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'Prices restored: 2')).toBeVisible()
  expect(ratios()).toEqual({ 'gpt-4o': 1.25, o1: 9, mine: 1 })
  await expect(section.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  expect(troubles).toEqual([])
})
