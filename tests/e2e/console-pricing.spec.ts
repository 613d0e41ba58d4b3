import { expect, type Locator, type Page } from '@playwright/test'
import { type PricedFixture, pricedFixture } from './priced-fixture.ts'
import { test } from './shared-browser.ts'
import { holdSession, troublesOf } from './visitor.ts'

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

test('a visitor gets a notice of that, sees the models of public groups with their prices, and gets there from home', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await page.goto(fixture.url)
  await page.locator('.home').getByRole('link', { name: 'Pricing' }).click()
  await expect(page).toHaveURL(`${fixture.url}/pricing`)
  await rows(page).first().waitFor()
  await expect(page.locator('.pricing-banner')).toContainText(
    'You are not logged in. These are the prices of the group default, ratio 1×.',
  )
  await expect(page.locator('.pricing-banner')).toContainText('model ratio × $2 × group ratio')
  // Models that the group offers, gpt first, then all others.
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
  await expect(gpt).toContainText('Per token')
  await expect(gpt).toContainText('Input $2.500 / 1M tokens')
  await expect(gpt).toContainText('Output $10.000 / 1M tokens')
  await expect(rowOf(page, 'dall-e-3')).toContainText('Per request')
  await expect(rowOf(page, 'dall-e-3')).toContainText('$0.040 / request')
  await expect(rowOf(page, 'dall-e-3')).toContainText('Other group')
  await expect(rowOf(page, 'unpriced-model')).toContainText('No price')
  await expect(rowOf(page, 'unpriced-model')).not.toContainText(/\$|Pay per/)
  await expect(page.getByRole('main')).not.toContainText('staff')
  await expect(page.getByRole('radio', { name: 'CNY' })).toHaveCount(0)
  expect(troubles).toEqual([])
})

test('the open row of a model shows the price of long prompts, on a phone as well', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${fixture.url}/pricing`)
  await page.getByRole('button', { name: 'Details of gpt-4o' }).click()
  await expect(page.getByRole('row', { name: 'Prompt above 100,000 tokens' })).toContainText(
    '$5.000 in, $15.000 out / 1M tokens',
  )
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
  await expect(receipt).toContainText('Ratio override')
  await expect(receipt).toContainText('1,800 quota · $0.003600')
  await drawer.getByLabel('Model', { exact: true }).fill('no-such-model')
  await page.keyboard.press('Enter')
  await expect(drawer.getByRole('status')).toContainText(/no-such-model/)
  await drawer.getByLabel('Prompt tokens', { exact: true }).fill('')
  await drawer.getByRole('button', { name: 'Calculate' }).click()
  await expect(drawer.getByText('Enter a whole number from 0 to 10,000,000')).toBeVisible()
  await expect(drawer.getByLabel('Prompt tokens', { exact: true })).toBeFocused()
  expect(await fixture.quotaOf('member')).toBe(1000)
})

test('from a price, the super administrator opens the fields of that model', async ({ page }) => {
  await holdSession(page.context(), fixture.url)
  await show(page)
  await page.getByRole('link', { name: 'Edit the price of gpt-4o' }).click()
  const drawer = page.getByRole('dialog', { name: 'Edit gpt-4o' })
  await expect(drawer.getByLabel('Model ratio')).toHaveValue('1.25')
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  const search = page.getByRole('searchbox', { name: 'Search models' }).filter({ visible: true })
  await expect(search).toBeFocused()
  await expect(search).toBeInViewport()
})
