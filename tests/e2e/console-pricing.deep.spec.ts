import { expect, type Locator, type Page } from '@playwright/test'
import { type PricedFixture, pricedFixture } from './priced-fixture.ts'
import { test } from './shared-browser.ts'
import { copiedBy, holdSession, pressEscape, showTenRows, tick } from './visitor.ts'

let fixture: PricedFixture
test.beforeAll(async () => {
  fixture = await pricedFixture()
})
test.afterAll(() => fixture.stop())

const rows = (page: Page): Locator => page.locator('.page-table-rows > tbody > tr')
const rowOf = (page: Page, model: string): Locator =>
  rows(page).filter({ has: page.locator('.pricing-name').getByText(model, { exact: true }) })
const names = (page: Page): Locator => page.locator('.pricing-name .bp6-monospace-text')

/** Opens the page as a visitor, or as a user of the fixture. */
async function show(page: Page, path = '/pricing', username?: string): Promise<void> {
  if (username) await holdSession(page.context(), fixture.url, username)
  await page.goto(fixture.url + path)
  await page.getByRole('heading', { name: 'Pricing', level: 1 }).waitFor()
  await rows(page).first().waitFor()
}

test.beforeEach(({ page }) => showTenRows(page))

test('a logged-in user sees the own group, and the prices of any other by a click on it', async ({ page }) => {
  await show(page, '/pricing', 'member')
  await expect(page.locator('.pricing-banner')).toContainText('Your group is team, ratio 4×.')
  await expect(page.getByRole('button', { name: 'team 4×' })).toHaveAttribute('aria-pressed', 'true')
  await rowOf(page, 'gpt-4o').getByRole('button', { name: 'default', exact: true }).click()
  await expect(page).toHaveURL(/group=default/)
  await expect(page.locator('.pricing-banner')).toContainText('Prices are shown for the group default, ratio 0.9×.')
  await expect(rowOf(page, 'gpt-4o')).toContainText('Input $2.250 / 1M tokens')
  const looks = page.locator('.pricing-filters')
  await expect(looks.getByRole('button', { name: 'team 4×' })).toHaveClass(/intent-warning/)
  await expect(looks.getByRole('button', { name: 'default 0.9×' })).toHaveClass(/intent-success/)
  await expect(looks.getByRole('button', { name: 'vip 6×' })).toHaveClass(/intent-danger/)
})

test('models are found by letters, makers and order; the address preserves the view', async ({ page }) => {
  await show(page)
  const find = page.getByRole('searchbox', { name: 'Search models' })
  await find.fill('g4o')
  await expect(rows(page)).toHaveCount(1)
  await expect(rowOf(page, 'gpt-4o')).toBeVisible()
  await expect(page).toHaveURL(/q=g4o/)
  await find.fill('zzz')
  await expect(page.getByText('No matching models')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Sort by', exact: true })).toBeVisible()
  await expect(page.locator('.pricing-order title')).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(find).toBeFocused()
  await expect(find).toHaveValue('')
  await page.getByRole('group', { name: 'Provider' }).getByRole('button', { name: 'DeepSeek 1' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: /^All 6/ }).click()
  await page.getByLabel('Sort by').selectOption('Price, highest first')
  await expect(names(page).first()).toContainText('qwen-plus')
  await expect(names(page).last(), 'what has no price stands behind all that has one').toContainText('unpriced-model')
})

test('ratios are shown on request, with their meaning; chosen models are copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: fixture.url })
  await show(page)
  await expect(page.getByRole('columnheader', { name: 'Ratios' })).toHaveCount(0)
  await page.getByText('Show ratios').click()
  await expect(rowOf(page, 'gpt-4o')).toContainText('Model 1.25')
  await expect(rowOf(page, 'gpt-4o')).toContainText('Completion 4')
  await page.getByRole('button', { name: 'What ratios mean' }).click()
  await expect(page.getByRole('dialog', { name: 'What ratios mean' })).toContainText('$2 per 1M prompt tokens')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Copy selected (0)' })).toBeDisabled()
  for (const model of ['gpt-4o', 'deepseek-chat']) await tick(page.getByRole('checkbox', { name: `Select ${model}` }))
  const copy = page.getByRole('button', { name: 'Copy selected (2)' })
  expect(await copiedBy(page, copy)).toBe('gpt-4o,deepseek-chat')
  await page.getByRole('button', { name: 'Details of gpt-4o' }).click()
  const all = page.getByRole('table', { name: 'All prices of gpt-4o in the group default' })
  await expect(all).toContainText('Cache read$1.250 / 1M tokens')
  await expect(all).toContainText('Image input$7.500 / 1M tokens')
  await expect(all).toContainText('Prompt above 100,000 tokens$5.000 in, $15.000 out / 1M tokens')
})

test('where quota can be bought, prices are shown at that rate, in dollars or yuan', async ({ page }) => {
  await fixture.sell(true)
  try {
    await show(page)
    const gpt = rowOf(page, 'gpt-4o')
    await page.getByText('CNY', { exact: true }).click()
    await expect(gpt).toContainText('Input ¥20.000 / 1M tokens')
    await page.getByRole('button', { name: 'Details of gpt-4o' }).click()
    await expect(page.getByText('¥40.000 in, ¥120.000 out / 1M tokens')).toBeVisible()
    await page.getByText('Top-up prices').click()
    await expect(gpt).toContainText('Input ¥5.000 / 1M tokens')
    await page.getByText('USD', { exact: true }).click()
    await expect(gpt).toContainText('Input $0.625 / 1M tokens')
  } finally {
    await fixture.sell(false)
  }
})

test('an administrator selects any group, and the users of another one', async ({ page }) => {
  await show(page, '/pricing?cost=gpt-4o', 'root')
  const drawer = page.getByRole('dialog', { name: 'What would this request cost?' })
  await drawer.getByLabel('Group', { exact: true }).selectOption('default')
  await drawer.getByLabel('Group of the user').selectOption('team')
  await drawer.getByRole('button', { name: 'Calculate' }).click()
  await expect(drawer.getByRole('region', { name: 'Receipt' })).toContainText('Ratio override')
  await pressEscape(page)
  await expect(page).toHaveURL(`${fixture.url}/pricing`)
})

test('a thousand models are there at once, page by page, and are searched while one types', async ({ page }) => {
  const list = await fixture.listOf(1000)
  await page.route(/\/api\/pricing$/, (route) => route.fulfill({ json: list }))
  await show(page)
  await expect(page.locator('.page-table-pager')).toContainText('Rows 1 - 10 of 1,000')
  await page.getByRole('searchbox', { name: 'Search models' }).pressSequentially('model0777')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.locator('.page-table-pager')).toContainText('Rows 1 - 1 of 1')
})

test('the settings of prices lead to the estimate of a call', async ({ page }) => {
  await holdSession(page.context(), fixture.url)
  await page.goto(`${fixture.url}/setting?tab=operation`)
  await page.getByRole('link', { name: 'What would this request cost?' }).click()
  await expect(page.getByRole('dialog', { name: 'What would this request cost?' })).toBeVisible()
})
