import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { type PricedDesk, pricedDesk } from './priced-desk.ts'
import { test } from './shared-browser.ts'
import { copiedBy, holdSession, pressEscape, tick, troublesOf } from './visitor.ts'

let desk: PricedDesk
test.beforeAll(async () => {
  desk = await pricedDesk()
})
test.afterAll(() => desk.stop())

const rows = (page: Page): Locator => page.locator('.page-table-rows > tbody > tr')
const rowOf = (page: Page, model: string): Locator =>
  rows(page).filter({ has: page.locator('.pricing-name').getByText(model, { exact: true }) })
const names = (page: Page): Locator => page.locator('.pricing-name .bp6-monospace-text')

/** Opens the page for nobody, or for a person of the desk. */
async function show(page: Page, path = '/pricing', username?: string): Promise<void> {
  if (username) await holdSession(page.context(), desk.url, username)
  await page.goto(desk.url + path)
  await page.getByRole('heading', { name: 'Pricing', level: 1 }).waitFor()
  await rows(page).first().waitFor()
}

test('a visitor is told so, sees the models of public groups with their prices, and leads on from home', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await page.goto(desk.url)
  await page.locator('.home').getByRole('link', { name: 'Pricing' }).click()
  await expect(page).toHaveURL(`${desk.url}/pricing`)
  await rows(page).first().waitFor()
  await expect(page.locator('.pricing-banner')).toContainText(
    'You are not logged in. These are the prices of the group default, ratio 1×.',
  )
  await expect(page.locator('.pricing-banner')).toContainText('model ratio × $2 × group ratio')
  // Those that the group offers, gpt first, then all others.
  await expect(names(page)).toHaveText([
    'gpt-4o',
    'deepseek-chat',
    'qwen-plus',
    'claude-x',
    'dall-e-3',
    'unpriced-model',
  ])
  const gpt = rowOf(page, 'gpt-4o')
  await expect(gpt).toContainText('Available')
  await expect(gpt).toContainText('Pay per use')
  await expect(gpt).toContainText('Input $2.500 / 1M tokens')
  await expect(gpt).toContainText('Output $10.000 / 1M tokens')
  await expect(rowOf(page, 'dall-e-3')).toContainText('Pay per request')
  await expect(rowOf(page, 'dall-e-3')).toContainText('$0.040 / request')
  await expect(rowOf(page, 'dall-e-3')).toContainText('Other group')
  await expect(rowOf(page, 'unpriced-model')).toContainText('No price')
  await expect(rowOf(page, 'unpriced-model')).not.toContainText(/\$|Pay per/)
  await expect(page.getByRole('main')).not.toContainText('staff')
  await expect(page.getByRole('radio', { name: 'CNY' })).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  expect(troubles).toEqual([])
})

test('who is logged in sees the own group, and the prices of any other by a click on it', async ({ page }) => {
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

test('models are found by letters, makers and order; the address keeps what is shown', async ({ page }) => {
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

test('ratios are shown when asked for, with what they mean; chosen models are copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: desk.url })
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
})

test('where quota can be bought, prices are shown as what they cost then, in dollars or yuan', async ({ page }) => {
  await desk.sell(true)
  try {
    await show(page)
    const gpt = rowOf(page, 'gpt-4o')
    await page.getByText('CNY', { exact: true }).click()
    await expect(gpt).toContainText('Input ¥20.000 / 1M tokens')
    await page.getByText('Top-up prices').click()
    await expect(gpt).toContainText('Input ¥5.000 / 1M tokens')
    await page.getByText('USD', { exact: true }).click()
    await expect(gpt).toContainText('Input $0.625 / 1M tokens')
  } finally {
    await desk.sell(false)
  }
})

test('“What would this request cost?” answers with the receipt a call would leave, and charges nothing', async ({
  page,
}) => {
  await show(page, '/pricing', 'member')
  await page.getByRole('button', { name: 'Estimate the cost of gpt-4o', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'What would this request cost?' })
  await expect(drawer.getByLabel('Model', { exact: true })).toHaveValue('gpt-4o')
  await drawer.getByLabel('Group', { exact: true }).selectOption('default')
  await drawer.getByLabel('Prompt tokens', { exact: true }).fill('1000')
  await drawer.getByLabel('Completion tokens', { exact: true }).fill('200')
  await drawer.getByLabel('Requests', { exact: true }).fill('1000')
  await drawer.getByRole('button', { name: 'Cache' }).click()
  await drawer.getByLabel('Tokens read from cache').fill('400')
  await page.keyboard.press('Enter')
  // 0.9 × 1.25 × (600 + 400 × 0.5 + 200 × 4)
  await expect(drawer.getByRole('status')).toContainText('$0.003600 per request')
  await expect(drawer.getByRole('status')).toContainText('1,000 requests: $3.600000')
  const receipt = drawer.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('Exclusive ratio')
  await expect(receipt).toContainText('1,800 quota · $0.003600')
  await expectAccessibleInBothThemes(page)
  await drawer.getByLabel('Model', { exact: true }).fill('no-such-model')
  await page.keyboard.press('Enter')
  await expect(drawer.getByRole('status')).toContainText(/no-such-model/)
  await drawer.getByLabel('Prompt tokens', { exact: true }).fill('')
  await drawer.getByRole('button', { name: 'Calculate' }).click()
  await expect(drawer.getByText('Enter a whole number from 0 to 10,000,000')).toBeVisible()
  await expect(drawer.getByLabel('Prompt tokens', { exact: true })).toBeFocused()
  expect(await desk.quotaOf('member')).toBe(1000)
})

test('an administrator asks for any group, and for users of another one', async ({ page }) => {
  await show(page, '/pricing?cost=gpt-4o', 'root')
  const drawer = page.getByRole('dialog', { name: 'What would this request cost?' })
  await drawer.getByLabel('Group', { exact: true }).selectOption('default')
  await drawer.getByLabel('Group of the user').selectOption('team')
  await drawer.getByRole('button', { name: 'Calculate' }).click()
  await expect(drawer.getByRole('region', { name: 'Receipt' })).toContainText('Exclusive ratio')
  await pressEscape(page)
  await expect(page).toHaveURL(`${desk.url}/pricing`)
})

test('a thousand models are there at once, page by page, and are searched while one types', async ({ page }) => {
  const list = await desk.listOf(1000)
  await page.route(/\/api\/pricing$/, (route) => route.fulfill({ json: list }))
  await show(page)
  await expect(page.locator('.page-table-pager')).toContainText('Rows 1 - 10 of 1,000')
  await page.getByRole('searchbox', { name: 'Search models' }).pressSequentially('model0777')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.locator('.page-table-pager')).toContainText('Rows 1 - 1 of 1')
})

test('the settings of prices lead to what a call would cost', async ({ page }) => {
  await holdSession(page.context(), desk.url)
  await page.goto(`${desk.url}/setting?tab=operation`)
  await page.getByRole('link', { name: 'What would this request cost?' }).click()
  await expect(page.getByRole('dialog', { name: 'What would this request cost?' })).toBeVisible()
})
