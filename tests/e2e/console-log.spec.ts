import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { chatAnswer } from '../support/chat.ts'
import { aClock } from '../support/clock.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { pressEscape, signIn, troublesOf } from './visitor.ts'

/** The gateway and the pages start at noon: at midnight, rows of a moment ago would no longer be today's. */
const noon = new Date()
noon.setHours(12, 0, 0, 0)
const clock = aClock()
clock.advance(noon.getTime() - clock.now())

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor({ clock })
  await vendor.root.put('/api/option', { key: 'ModelRatio', value: '{"gpt-4o":1.25,"mapped":2}' })
  await vendor.root.put('/api/option', { key: 'CompletionRatio', value: '{"gpt-4o":4,"mapped":1}' })
  await vendor.root.put('/api/option', { key: 'CacheRatio', value: '{"gpt-4o":0.5}' })
  await vendor.channel({ name: 'first', priority: 10 })
  await vendor.channel({ name: 'second', models: 'gpt-4o,mapped', model_mapping: '{"mapped":"gpt-4o"}' })
  await retried(vendor)
  await vendor.asks(vendor.root, 'mapped', { stream: true })
  vendor.upstream.answers({ status: 400, body: { error: { message: 'no such parameter', type: 'invalid' } } })
  await vendor.asks(vendor.root, 'mapped')
  vendor.upstream.reset()
})
test.afterAll(() => vendor.stop())
test.beforeEach(({ page }) => page.clock.setFixedTime(clock.now()))

/** One request that the first channel fails and the second serves, with a known usage: 2000 quota. */
async function retried({ upstream, asks, root }: ServedVendor): Promise<void> {
  const broken = { status: 500, body: { error: { message: 'overloaded', type: 'server_error' } } }
  upstream.answers(broken, { body: chatAnswer('ok', { prompt: 1000, completion: 200, cached: 400 }) })
  expect(await asks(root, 'gpt-4o')).toBe(200)
  upstream.reset()
}

async function openLog(page: Page, shows = 'gpt-4o'): Promise<void> {
  await signIn(page, vendor.url, '/log')
  await expect(rowOf(page, shows)).toBeVisible()
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first()

test('an expanded row reads as a receipt that gives the charge (docs/reference/billing.md#receipts)', async ({
  page,
}) => {
  await openLog(page)
  await rowOf(page, '1->2').locator('[aria-expanded]').click()
  const receipt = page.getByRole('region', { name: 'Receipt' })
  const steps = async () =>
    (await receipt.getByRole('row').allInnerTexts()).map((step) => step.replace(/\s+/g, ' ').trim())
  await expect
    .poll(steps)
    .toEqual([
      'Prompt $2.5 per 1M tokens 600 × 1 600',
      'Read from cache $1.25 per 1M tokens 400 × 0.5 200',
      'Completion $10 per 1M tokens 200 × 4 800',
      'Billable tokens 1,600',
      'Model ratio × 1.25',
      'Group ratio × 1',
      'Before rounding 2,000 quota',
      'Rounded (minimum 1) 2,000 quota',
      'Charged matches 2,000 quota · $0.004000',
    ])
  const facts = page.locator('.log-detail')
  for (const text of ['Completed', 'Reported by the upstream', '#1 first: HTTP 500', '#2 second: succeeded'])
    await expect(facts).toContainText(text)
})

test('filters narrow the list at once, texts after a pause or on Enter (docs/reference/screens.md#usage-log)', async ({
  page,
}) => {
  await openLog(page)
  await page.getByLabel('Type', { exact: true }).selectOption('Error')
  await expect(rowOf(page, '1->2')).toHaveCount(0)
  await expect(rowOf(page, 'no such parameter')).toBeVisible()
  await page.getByLabel('Model', { exact: true }).fill('gpt%')
  await expect(page.getByText('No matching entries')).toBeVisible()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(rowOf(page, '1->2')).toBeVisible()
  // A text that has not been applied yet is discarded.
  await page.getByLabel('Model', { exact: true }).fill('gpt%')
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('')
  await page.getByLabel('Channel ID').fill('1')
  await page.getByLabel('Username').fill('nobody')
  await page.getByLabel('Username').press('Enter')
  await expect(page.getByText('No matching entries')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rowOf(page, '1->2')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveValue('')
})

test('the most expensive requests come first if the list is sorted by cost', async ({ page }) => {
  await openLog(page)
  const first = page.getByRole('main').locator('tbody > tr').first()
  await expect(first).not.toContainText('1->2')
  await page.getByRole('button', { name: 'Cost' }).click()
  await expect(page).toHaveURL(/\/log\?sort=-quota&from=\d+$/)
  await expect(first).toContainText('1->2')
  await expect(page.getByRole('columnheader', { name: 'Cost' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Cost' }).click()
  await expect(first).not.toContainText('1->2')
  await page.getByRole('button', { name: 'Cost' }).click()
  await expect(page.getByRole('columnheader', { name: 'Cost' })).toHaveAttribute('aria-sort', 'none')

  // The arrow of a narrow column is over the heading before it.
  for (const [name, sort] of [
    ['Prompt', '-prompt_tokens'],
    ['Completion', '-completion_tokens'],
  ] as const) {
    await page.getByRole('button', { name }).click()
    await expect(page).toHaveURL(new RegExp(`sort=${sort}`))
  }
})

test('filtered rows are saved as a file; filters are saved under names (docs/reference/logs.md#export)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await openLog(page)
  const saved = page.getByRole('button', { name: 'Saved filters' })
  const dialog = page.getByRole('dialog', { name: 'Saved filters' })
  await saved.click()
  await dialog.getByRole('button', { name: 'Save current filters' }).click()
  await expect(dialog).toContainText('Set a filter first')
  await pressEscape(page)
  const model = page.getByLabel('Model', { exact: true })
  await model.fill('=mapped')
  // A closing popover returns the focus once it is gone.
  await model.press('Enter')
  await expect(page).toHaveURL(/model=%3Dmapped/)
  // The address changes before the page does.
  await expect(rowOf(page, '1->2')).toHaveCount(0)
  await saved.click()
  await dialog.getByLabel('Name').fill('The alias')
  await dialog.getByLabel('Name').press('Enter')
  await expect(dialog.getByRole('button', { name: 'The alias', exact: true })).toBeVisible()
  await pressEscape(page)

  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV (spreadsheet)' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^usage-log-\d{4}-\d{2}-\d{2}\.csv$/)
  const [head, ...rows] = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(head).toContain('model_name,prompt_tokens')
  expect(rows.map((row) => row.split(',')[7])).toEqual(['mapped', 'mapped'])
  await expect(page.getByText(`Exported: ${file.suggestedFilename()}`)).toBeVisible()

  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(page).not.toHaveURL(/model=/)
  await saved.click()
  await dialog.getByRole('button', { name: 'The alias', exact: true }).click()
  await expect(page).toHaveURL(/model=%3Dmapped/)
  await saved.click()
  await dialog.getByRole('button', { name: 'Remove The alias' }).click()
  await expect(dialog).toContainText('No saved filters yet.')
  expect(troubles).toEqual([])
})
