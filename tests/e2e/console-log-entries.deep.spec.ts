import { expect, type Page } from '@playwright/test'
import { bottomOf, expectBoxes, rightOf } from './boxes.ts'
import { logReceipts } from './receipt-rows.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel({ name: 'Main account' })
  await vendor.channel({ name: 'Spare account' })
  await vendor.inner.db.insertInto('logs').values(Object.values(entries)).execute()
  await logReceipts(vendor.inner)
})
test.afterAll(() => vendor.stop())

const now = Math.floor(Date.now() / 1000)

/** A log row with these facts in `other`. */
const entry = (model: string, fields: object, facts: object) => ({
  ...{ user_id: 1, created_at: now, type: 2, username: 'root', token_name: 'laptop', model_name: model, channel_id: 1 },
  ...{ group: 'default', is_stream: 1, use_time: 0, prompt_tokens: 9, request_id: `of-${model}`, ...fields },
  other: JSON.stringify({ request_id: `of-${model}`, ...facts }),
})

const entries = {
  quick: entry(
    'quick',
    { prompt_tokens: 14_234_567 },
    {
      duration_ms: 420,
      frt: 97,
      response_model: 'slow-2',
      admin_info: { use_channel: ['1'], upstream_format: 'anthropic' },
    },
  ),
  old: entry('old', { created_at: Date.UTC(2019, 4, 5) / 1000, is_stream: 0, prompt_tokens: 0 }, {}),
  rested: entry(
    'rested',
    { channel_id: 2, use_time: 12, prompt_tokens: 0 },
    {
      frt: 1840,
      admin_info: {
        use_channel: ['1', '2'],
        tried: [{ channel: 1, status: 500, reason: 'overloaded' }, { channel: 2 }],
        skipped: [
          { channel: 2, reason: 'cooldown', status: 429, seconds: 42 },
          { channel: 3, reason: 'no_key' },
        ],
      },
    },
  ),
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first()

/** Opens the log since 2019, whose newest rows are those of this file. */
const openLog = (page: Page) => signIn(page, vendor.url, '/log?from=1&size=20')

test('a receipt that is partly scrolled away is overprinted by nothing', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await openLog(page)
  await rowOf(page, 'claude-sonnet-4-5').locator('[aria-expanded]').click()
  const steps = page.locator('.receipt-steps tr')
  await steps.nth(3).evaluate((step) => step.scrollIntoView({ block: 'end' }))
  const gaps = () =>
    steps.evaluateAll((rows) => {
      const boxes = rows.map((row) => row.firstElementChild?.getBoundingClientRect())
      return boxes.slice(1).map((box, place) => (box?.top ?? Number.NaN) - (boxes[place]?.bottom ?? Number.NaN))
    })
  await expect
    .poll(async () => {
      const all = await gaps()
      return all.length > 2 && all.every((gap) => gap >= -1)
    })
    .toBe(true)
  const sticky = await page
    .locator('.page-table-detail *')
    .evaluateAll((inner) =>
      inner.filter((one) => getComputedStyle(one).position === 'sticky').map((one) => one.className),
    )
  expect(sticky).toEqual(['log-detail'])
})

test('times, counts, dates and channels are shown in readable form', async ({ page }) => {
  await openLog(page)
  const quick = rowOf(page, 'quick')
  for (const text of ['420 ms', '97 ms', '14.2 M', '#1 Main account']) await expect(quick).toContainText(text)
  await expect(quick.getByText('14.2 M')).toHaveAttribute('title', '14,234,567')
  const old = rowOf(page, 'old')
  for (const text of ['2019-05-05', '< 1 s']) await expect(old).toContainText(text)
  const rested = rowOf(page, 'rested')
  for (const text of ['12 s', '1.8 s', '1->2', '#2 Spare account']) await expect(rested).toContainText(text)
  await expect(page.getByRole('cell').filter({ hasText: '->' })).toHaveText(['1->2'])
  await expect(rested.getByText('1->2')).toHaveAttribute('title', '#1 Main account → #2 Spare account')
})

test('a channel that was passed over and then answered is one line', async ({ page }) => {
  await openLog(page)
  await rowOf(page, 'rested').locator('[aria-expanded]').click()
  await expect(page.locator('.log-detail-attempts li')).toHaveText([
    '#1 Main account: HTTP 500 · overloaded',
    '#2 Spare account: succeeded (initially skipped: HTTP 429 · cooling down for another 42 s)',
    '#3: all keys were disabled or cooling down',
  ])
})

test('an entry shows the API format of its upstream request and the model in its response, where they differ', async ({
  page,
}) => {
  await openLog(page)
  await rowOf(page, 'quick').locator('[aria-expanded]').click()
  await expect(page.locator('.log-detail')).toContainText('Upstream API formatAnthropic Messages')
  await expect(page.locator('.log-detail')).toContainText('Model in responseslow-2')
  await rowOf(page, 'rested').locator('[aria-expanded]').click()
  await expect(page.getByText('Upstream API format')).toHaveCount(1)
})

test('an answer from the cache is marked, with its age, and its share is a line of the receipt', async ({ page }) => {
  await openLog(page)
  await rowOf(page, 'gpt-4.1-nano').locator('[aria-expanded]').click()
  const detail = page.locator('.log-detail')
  await expect(detail.getByRole('row', { name: 'Cache hit' })).toContainText('× 0.25')
  await expect(detail).toContainText('Response is 754 s old')
  await expect(detail.getByText('matches', { exact: true })).toBeVisible()
  await expect(detail.getByText('Channel', { exact: true })).toHaveCount(0)
})

test('a receipt shows which factors of a long prompt and a service tier are included in its ratios', async ({
  page,
}) => {
  await openLog(page)
  await rowOf(page, 'gpt-5.4').locator('[aria-expanded]').click()
  const detail = page.locator('.log-detail')
  await expect(detail.getByRole('row', { name: 'Prompt above 272,000 tokens' })).toContainText(
    '(included in the ratios)',
  )
  await expect(detail.getByRole('row', { name: 'Service tier priority, × 2' })).toBeVisible()
  await expect(detail.getByRole('row', { name: 'Model ratio' })).toContainText('× 5')
  await expect(detail.getByText('matches', { exact: true })).toBeVisible()
})

test('a large window is filled by the rows, and nothing is cut off', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await openLog(page)
  const list = page.locator('.page-table-card')
  const width = await list.evaluate((card) => ({ own: card.clientWidth, inner: card.scrollWidth }))
  expect(width.inner).toBe(width.own)
  expect(width.own).toBeGreaterThan(1600)
})

test('tokens and cost are in sight on a small window', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 800 })
  await openLog(page)
  const list = page.locator('.page-table-card')
  for (const name of ['Type', 'Model', 'In: Prompt', 'Out: Completion', 'Cost'])
    await expectBoxes([page.getByRole('columnheader', { name, exact: true }), list], (head, edge) =>
      expect(rightOf(head), name).toBeLessThanOrEqual(rightOf(edge)),
    )
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('three entries fit on a screen, and a finger reaches everything', async ({ page }) => {
    await openLog(page)
    const cards = page.locator('.page-table-cards > li')
    await expectBoxes([cards.nth(2)], (third) => expect(bottomOf(third)).toBeLessThanOrEqual(844))
    const small = await page
      .locator('.page-frame :is(button, select, input:not([type=checkbox]))')
      .evaluateAll((targets) =>
        targets
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 40)
          .map((one) => one.outerHTML.slice(0, 120)),
      )
    expect(small).toEqual([])
    // The named ranges and both fields of a custom one fit on the screen.
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByRole('button', { name: /^Time range/ }).click()
    await expect(page.getByRole('button', { name: 'Yesterday' })).toBeInViewport()
    for (const name of ['Start', 'End']) await expect(page.getByLabel(name, { exact: true })).toBeVisible()
  })

  test('a card is opened, and a column that is put away is not on it', async ({ page }) => {
    await openLog(page)
    await page.evaluate(() => localStorage.setItem('logs-table-columns', '{"channel":false}'))
    await page.reload()
    const card = page.locator('.page-table-cards > li').filter({ hasText: 'quick' })
    await expect(card).toContainText('14.2 M')
    await expect(card).not.toContainText('#1')
    await card.locator('.page-table-opener').click()
    await expect(card.locator('.log-detail')).toContainText('#1 Main account')
    await card.locator('.log-card').click({ position: { x: 2, y: 2 } })
    await expect(card.locator('.log-detail')).toBeHidden()
    await card.locator('.log-card').click({ position: { x: 2, y: 2 } })
    await expect(card.locator('.log-detail')).toBeVisible()
  })
})
