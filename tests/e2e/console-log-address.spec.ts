import { expect, type Page } from '@playwright/test'
import { requestId } from '../../gateway/base/ids.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
const yesterday = Math.floor(Date.now() / 1000) - 100_000
const idOfYesterday = requestId(yesterday * 1000)
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel({ name: 'Main account' })
  await seed()
})
test.afterAll(() => vendor.stop())

/** Rows told apart by their texts: thirty of one token, and one each of a retried stream and of yesterday. */
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
const range = (page: Page, text: string) => expect(page.getByText(text)).toBeVisible()
const search = (page: Page) => page.locator('.filter-bar-fields > [type=submit]').click()
const queryOf = (page: Page) => new URL(page.url()).searchParams

test('filters, page, size and open row stand in the address; Back and Forward go through them', async ({ page }) => {
  await signIn(page, vendor.url, '/log')
  await page.getByLabel('Token', { exact: true }).fill('atc')
  await search(page)
  await range(page, 'Rows 1 - 10 of 30')
  const second = Promise.withResolvers<void>()
  await page.route(/[?&]p=2(&|$)/, async (route) => {
    await second.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Next page' }).click()
  // The rows of the page before are not called those of the next one.
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
