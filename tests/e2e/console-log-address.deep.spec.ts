import { expect, type Page } from '@playwright/test'
import { requestId } from '../../gateway/base/ids.ts'
import { expectAccessible } from './accessible.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { openStopped, SOON, tickUntil } from './stopped-clock.ts'
import { copiedBy, showTenRows, signIn } from './visitor.ts'

let vendor: ServedVendor
const yesterday = Math.floor(Date.now() / 1000) - 100_000
const idOfYesterday = requestId(yesterday * 1000)
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel({ name: 'Main account' })
  await seed()
})
test.afterAll(() => vendor.stop())
test.afterEach(() => vendor.inner.db.deleteFrom('logs').where('model_name', '=', LIVE).execute())

/** A separate model for rows that arrive while a page is open, because other tests count the rows of theirs. */
const LIVE = 'live'

/** Rows with recognizable texts: thirty of one token, and one each of a retried stream and of yesterday. */
async function seed(): Promise<void> {
  const many = Array.from({ length: 30 }, (_, place) => row({ token_name: 'batch', request_id: `batch-${place}` }))
  const other = [
    row({ model_name: 'vendor/mini', is_stream: 1, retries: 1, request_id: 'streamed' }),
    row({ model_name: 'old-model', created_at: yesterday, request_id: idOfYesterday }),
  ]
  await vendor.inner.db
    .insertInto('logs')
    .values([...many, ...other])
    .execute()
}

function row(fields: object) {
  const whole = {
    ...{ user_id: 1, created_at: Math.floor(Date.now() / 1000), type: 2, username: 'root', token_name: 'laptop' },
    ...{ model_name: 'gpt-4o', channel_id: 1, group: 'default', is_stream: 0, retries: 0, request_id: '', ...fields },
  }
  return { ...whole, other: JSON.stringify({ request_id: whole.request_id, admin_info: { use_channel: ['1'] } }) }
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first()
const range = (page: Page, text: string) => expect(page.getByText(text)).toBeVisible()
const queryOf = (page: Page) => new URL(page.url()).searchParams

test.beforeEach(({ page }) => showTenRows(page))

test('a copied link opens the same view; an entry that has moved on is found by its id', async ({ page }) => {
  await signIn(page, vendor.url, '/log?token=%3Dbatch&page=2&size=20&open=batch-3')
  await range(page, 'Rows 21 - 30 of 30')
  await expect(page.getByLabel('Token', { exact: true })).toHaveValue('=batch')
  await expect(page.getByLabel('Rows per page')).toHaveValue('20')
  await expect(page.locator('.log-detail')).toContainText('batch-3')
  await page.goto(`${vendor.url}/log?token=batch&open=${idOfYesterday}`)
  await expect(page.getByText('The linked entry is not on this page.')).toBeVisible()
  await page.getByRole('button', { name: 'Show entry' }).click()
  await expect(page.locator('.log-detail')).toContainText(idOfYesterday)
})

test('an address that makes no sense shows the log as on a first visit', async ({ page }) => {
  await signIn(page, vendor.url, '/log?page=x&size=7&type=no&from=soon&stream=maybe&channel=-1&to=')
  await range(page, 'Rows 1 - 10 of 32')
})

test('texts find by containing, with = exactly; streams, retries and requests have separate filters', async ({
  page,
}) => {
  await signIn(page, vendor.url, '/log')
  await page.getByLabel('Model', { exact: true }).fill('MINI')
  await range(page, 'Rows 1 - 1 of 1')
  await page.getByLabel('Model', { exact: true }).fill('=mini')
  await expect(page.getByText('No matching entries')).toBeVisible()
  await page.getByRole('button', { name: 'Reset' }).click()
  await range(page, 'Rows 1 - 10 of 31')
  await page.getByRole('button', { name: 'More' }).click()
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Streaming' }).selectOption('Streaming')
  await page.getByLabel('Retry').selectOption('Retried')
  await page.getByRole('textbox', { name: 'Request ID' }).press('Enter')
  await range(page, 'Rows 1 - 1 of 1')
  await expect(rowOf(page, 'vendor/mini')).toBeVisible()
  await page.getByRole('button', { name: 'Reset' }).click()
  await range(page, 'Rows 1 - 10 of 31')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('textbox', { name: 'Request ID' }).fill(idOfYesterday)
  await page.getByRole('textbox', { name: 'Request ID' }).press('Enter')
  await expect(rowOf(page, 'old-model')).toBeVisible()
  await expect(page.getByRole('button', { name: 'More (1)' })).toBeVisible()
})

test('a value opens a menu that filters by it and copies it, by keyboard as well', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: vendor.url })
  await signIn(page, vendor.url, '/log')
  const model = rowOf(page, 'vendor/mini').getByRole('button', { name: 'vendor/mini', exact: true })
  await model.click()
  expect(await copiedBy(page, page.getByRole('menuitem', { name: 'Copy name' }))).toBe('vendor/mini')
  await expect(model).toBeFocused()
  await model.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Show only vendor/mini' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(model).toBeFocused()
  await model.press('Enter')
  await page.getByRole('menuitem', { name: 'Show only vendor/mini' }).press('Enter')
  await range(page, 'Rows 1 - 1 of 1')
  expect(queryOf(page).get('model')).toBe('=vendor/mini')
  await rowOf(page, 'vendor/mini').getByRole('button', { name: '#1 Main account' }).click()
  await page.getByRole('menuitem', { name: 'Show only #1 Main account' }).click()
  await expect(page.getByLabel('Channel ID')).toHaveValue('1')
  expect(queryOf(page).get('channel')).toBe('1')
})

test('a page is jumped to by its number; one that is not there is the last', async ({ page }) => {
  await signIn(page, vendor.url, '/log?token=batch')
  await page.getByLabel('Page', { exact: true }).fill('3')
  await page.keyboard.press('Enter')
  await range(page, 'Rows 21 - 30 of 30')
  await page.getByLabel('Page', { exact: true }).fill('99')
  await page.keyboard.press('Enter')
  await expect.poll(() => queryOf(page).get('page')).toBe('3')
  await range(page, 'Rows 21 - 30 of 30')
})

test('live, new rows come to the top; it waits while a row is open or text is selected', async ({ page }) => {
  await openStopped(page, async () => {
    await signIn(page, vendor.url, '/log?model=live')
    await expect(page.getByText('No matching entries')).toBeVisible()
  })
  await page.locator('.log-live-switch').click()
  const arrive = (id: string) =>
    vendor.inner.db
      .insertInto('logs')
      .values(row({ model_name: LIVE, request_id: id }))
      .execute()
  await arrive('live-1')
  await page.clock.runFor(5000)
  await tickUntil(page, () => expect(rowOf(page, LIVE)).toBeVisible(SOON))
  await page.locator('.page-table-opener').click()
  await expect(page.getByText('Paused')).toBeVisible()
  await arrive('live-2')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/api\/(?:log|about)/.test(pathname)) asked.push(pathname)
  })
  const expectNothingAsked = async () => {
    await page.clock.runFor(5000)
    // This request is sent after all of the page's own.
    await page.evaluate(() => fetch('/api/about'))
    expect(asked.splice(0)).toEqual(['/api/about'])
    await expect(page.locator('.page-table-opener')).toHaveCount(1)
  }
  await expectNothingAsked()
  // A mouse click would clear the selection.
  await rowOf(page, LIVE).evaluate((row) => {
    getSelection()?.selectAllChildren(row)
    row.querySelector<HTMLElement>('.page-table-opener')?.click()
  })
  await expect(page.locator('.log-detail')).toHaveCount(0)
  await expect(page.getByText('Paused')).toBeVisible()
  await expectNothingAsked()
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await page.clock.runFor(5000)
  await tickUntil(page, () => expect(page.locator('.page-table-opener')).toHaveCount(2, SOON))
})

test('filters, page, size and open row are in the address; Back and Forward go through them', async ({ page }) => {
  await signIn(page, vendor.url, '/log')
  await page.getByLabel('Token', { exact: true }).fill('atc')
  await range(page, 'Rows 1 - 10 of 30')
  const second = Promise.withResolvers<void>()
  await page.route(/[?&]p=2(&|$)/, async (route) => {
    await second.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Next page' }).click()
  // The previous page's rows are not labelled as those of the next.
  await expect(page.locator('.page-table[aria-busy=true]')).toContainText('Rows 1 - 10 of 30')
  second.resolve()
  await range(page, 'Rows 11 - 20 of 30')
  await page.locator('.page-table-opener').first().click()
  await expect(page.locator('.log-detail')).toBeVisible()
  const query = queryOf(page)
  expect([query.get('token'), query.get('page')]).toEqual(['atc', '2'])
  expect(query.get('open')).toMatch(/^batch-/)
  expect(Number(query.get('from'))).toBeGreaterThan(0)
  await page.goBack()
  await expect(page.locator('.log-detail')).toHaveCount(0)
  await range(page, 'Rows 11 - 20 of 30')
  await page.goBack()
  await range(page, 'Rows 1 - 10 of 30')
  await page.goBack()
  await range(page, 'Rows 1 - 10 of 31')
  await expect(page.getByLabel('Token', { exact: true })).toHaveValue('')
  await page.goForward()
  await range(page, 'Rows 1 - 10 of 30')
  await expect(page.getByLabel('Token', { exact: true })).toHaveValue('atc')
})
