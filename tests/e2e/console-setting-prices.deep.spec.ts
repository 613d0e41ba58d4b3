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

test('an administrator compares with a file, applies the suggestions, and undoes it', async ({ page }) => {
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

test('a filter narrows the list, and leaving a choice needs a confirmation', async ({ page }) => {
  const drawer = await compareFile(page)
  await drawer.getByRole('searchbox', { name: 'Search for a model' }).fill('fre')
  await expect(drawer.locator('tbody tr')).toHaveCount(1)
  await drawer.getByRole('searchbox', { name: 'Search for a model' }).fill('')
  await drawer.getByRole('combobox', { name: 'Show' }).selectOption('hand')
  await expect(drawer.locator('tbody tr')).toHaveCount(1)
  await rowOf(drawer, 'o1').getByRole('checkbox').check({ force: true })
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Update prices')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(drawer).toBeVisible()
  await drawer.getByText('Only on this gateway (1)').click()
  await expect(drawer.getByText('mine')).toBeVisible()
})

test('an invalid catalogue is reported next to the form, and the input stays', async ({ page }) => {
  const section = await openPrices(page)
  await section.getByRole('button', { name: 'Update prices' }).click()
  const drawer = page.getByRole('dialog', { name: 'Update prices' })
  await drawer.getByText('From an address').click()
  await drawer.getByRole('button', { name: 'Compare' }).click()
  const address = drawer.getByRole('textbox', { name: 'Address' })
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  vendor.upstream.answers({ body: { hello: 'world' } })
  await address.fill(`${vendor.upstream.url}/prices`)
  await drawer.getByRole('button', { name: 'Compare' }).click()
  await expect(drawer.getByRole('alert')).toContainText('This is not a price catalogue')
  await expect(address).toHaveValue(`${vendor.upstream.url}/prices`)
  vendor.upstream.answers({ body: { data: [{ id: 'o1', pricing: { prompt: '0.00002', completion: '0.00004' } }] } })
  await drawer.getByRole('button', { name: 'Compare' }).click()
  await expect(drawer.getByText('Compared with OpenRouter. Models in the catalogue: 1')).toBeVisible()
})

test('a choice from a catalogue can be scheduled instead', async ({ page }) => {
  const drawer = await compareFile(page)
  await drawer.getByText('Schedule').click()
  await drawer.getByRole('button', { name: 'Schedule prices (2)' }).click()
  await expect(drawer.getByText('Choose a time in the future')).toBeVisible()
  await expect(drawer.getByLabel('Valid from')).toBeFocused()
  await drawer.getByLabel('Valid from').fill('2090-01-01T08:00')
  await drawer.getByRole('button', { name: 'Schedule prices (2)' }).click()
  await expect(toast(page, 'Prices scheduled: 2')).toBeVisible()
  expect(ratios()['gpt-4o']).toBe(1.25)
  const list = dataOf(await vendor.root.get('/api/pricing/scheduled'))
  expect(list.map(({ model, state }: { model: string; state: string }) => [model, state])).toEqual([
    ['fresh', 'pending'],
    ['gpt-4o', 'pending'],
  ])
})

test('a price is scheduled by hand, changed and canceled', async ({ page }) => {
  const troubles = troublesOf(page)
  const section = await openPrices(page)
  await section.getByRole('button', { name: 'Scheduled prices' }).click()
  const drawer = page.getByRole('dialog', { name: 'Scheduled prices' })
  await expect(drawer.getByText('No scheduled prices')).toBeVisible()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Schedule price' }).click()
  const form = page.getByRole('dialog', { name: 'Schedule price' })
  await expect(form.getByRole('textbox', { name: 'Model' })).toBeFocused()
  await form.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(form.getByRole('textbox', { name: 'Model' })).toBeFocused()
  await form.getByRole('textbox', { name: 'Model' }).fill('gpt-4o')
  await form.getByRole('textbox', { name: 'Input, per 1M tokens', exact: true }).fill('4')
  await form.getByRole('textbox', { name: 'Output, per 1M tokens', exact: true }).fill('16')
  await form.getByLabel('Valid from').fill('2090-01-01T08:00')
  await form.getByRole('textbox', { name: 'Note' }).fill('announced in May')
  await expectAccessible(page)
  // The form covers the list, and is the only one to ask about unsaved changes.
  await page.evaluate(() => {
    history.pushState({ idx: history.state.idx + 1 }, '', '/token')
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  })
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await form.getByRole('textbox', { name: 'Note' }).focus()
  await page.keyboard.down('Enter')
  await expect(form).toHaveCount(0)
  // Releasing the key that submitted the form must not press the button that has the focus by then.
  await drawer.getByRole('button', { name: 'Schedule price' }).focus()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(form).toHaveCount(0)
  const row = drawer.getByRole('row').filter({ hasText: 'gpt-4o' })
  for (const text of ['$4', '$16', 'Pending', '2090-01-01', 'announced in May'])
    await expect(drawer).toContainText(text)

  await row.getByRole('button', { name: 'Change the scheduled price of gpt-4o' }).click()
  const change = page.getByRole('dialog', { name: 'Change scheduled price' })
  await expect(change.getByRole('textbox', { name: 'Output, per 1M tokens', exact: true })).toHaveValue('16')
  await change.getByText('Per request').click()
  await change.getByRole('textbox', { name: 'Price per request' }).fill('0.5')
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('$0.5 per request')

  await row.getByRole('button', { name: 'Cancel the scheduled price of gpt-4o' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel price' }).click()
  await expect(row).toContainText('Canceled')
  expect(troubles).toEqual([])
})
