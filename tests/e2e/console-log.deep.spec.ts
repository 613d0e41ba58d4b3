import { expect, type Page } from '@playwright/test'
import { unixSeconds } from '../../gateway/base/clock.ts'
import { chatAnswer } from '../support/chat.ts'
import { aClock } from '../support/clock.ts'
import { expectAccessible } from './accessible.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { copiedBy, pressEscape, showTenRows, signIn, troublesOf } from './visitor.ts'

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
test.beforeEach(async ({ page }) => {
  await showTenRows(page)
  await page.clock.setFixedTime(clock.now())
})

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

test('badges, columns and the type selector of the usage log (docs/reference/screens.md#usage-log)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  // Moves the calls into the last minute.
  await vendor.inner.db
    .updateTable('logs')
    .set({ created_at: unixSeconds(clock) })
    .execute()
  await openLog(page)
  await expect(page.getByText('2 RPM')).toBeVisible()
  await expect(page.getByText('1,215 TPM')).toBeVisible()
  await expect(page.locator('[title="2,030 quota"]')).toHaveText('Used $0.0041')
  const names = [
    'Time',
    'Channel',
    'User',
    'Token',
    'Group',
    'Type',
    'Model',
    'In: Prompt',
    'Out: Completion',
    'Cost',
    'Retry',
  ]
  for (const name of names) await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()
  const row = rowOf(page, '1->2')
  for (const text of ['root', 'laptop', 'default', 'gpt-4o', '1,000', '200', '$0.004000'])
    await expect(row).toContainText(text)
  const kinds = page.getByLabel('Type', { exact: true }).locator('option')
  await expect(kinds).toHaveText(['All', 'Top-up', 'Usage', 'Manage', 'System', 'Error'])
  // The badges sum usage, so they disappear with it.
  await page.goto(`${vendor.url}/log?type=5`)
  await expect(page.getByRole('button', { name: 'Export' })).toBeVisible()
  await expect(page.getByText(/^Used /)).toHaveCount(0)
  expect(troubles).toEqual([])
})

test('the request id is copied, a mapped model shows both names (docs/reference/screens.md#usage-log)', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: vendor.url })
  await openLog(page)
  const copied = await copiedBy(page, rowOf(page, '1->2').getByRole('button', { name: 'Copy request ID' }))
  const [row] = await vendor.inner.db.selectFrom('logs').selectAll().where('quota', '=', 2000).execute()
  expect(copied).toBe(row?.request_id)
  await page.getByRole('button', { name: 'Model mapping' }).click()
  await expect(page.getByText('Actual model')).toBeVisible()
  await page.keyboard.press('Escape')
  await rowOf(page, '1->2').locator('.page-table-opener').click()
  const link = await copiedBy(page, page.getByRole('button', { name: 'Copy the link to this entry' }))
  await page.goto(link)
  await expect(page.locator('.log-detail')).toContainText(copied)
  await expect(page.locator('.log-detail')).toHaveCount(1)
})

test('the filters suggest the tokens, models, groups, channels and users that there are, also while typing', async ({
  page,
}) => {
  await openLog(page)
  const suggested = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((field: HTMLInputElement) => {
      const options = [...(field.list?.options ?? [])]
      return options.map(({ value, label: told }) => `${value} ${told}`.trim())
    })
  expect(await suggested('Model')).toEqual([])
  await page.getByLabel('Model', { exact: true }).focus()
  await expect.poll(() => suggested('Model')).toContain('gpt-4o')
  await expect.poll(() => suggested('Token')).toEqual(['laptop'])
  await expect.poll(() => suggested('Group')).toContain('default')
  await expect.poll(() => suggested('Channel ID')).toContain('2 second')
  await page.getByLabel('Username', { exact: true }).focus()
  await expect.poll(() => suggested('Username')).toContain('root')
  await page.keyboard.type('nobody-of-that')
  await expect.poll(() => suggested('Username')).toEqual([])
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('=oo')
  await expect.poll(() => suggested('Username')).toEqual(['root'])
})

test.describe('a long list', () => {
  test.afterEach(() => vendor.inner.db.deleteFrom('logs').where('token_name', '=', 'busy').execute())
  test('is counted to 10,000 and walked on and back', async ({ page }) => {
    const rows = Array.from({ length: 10_050 }, () => ({
      ...{ user_id: 1, created_at: unixSeconds(clock), type: 2, username: 'root', model_name: 'many' },
      ...{ token_name: 'busy', group: 'default' },
    }))
    for (let from = 0; from < rows.length; from += 1005) {
      const part = rows.slice(from, from + 1005)
      await vendor.inner.db.insertInto('logs').values(part).execute()
    }
    await openLog(page, 'many')
    await page.getByLabel('Token', { exact: true }).fill('busy')
    await expect(page.getByText('Rows 1 - 10 of 10,000+')).toBeVisible()
    await page.getByLabel('Rows per page').selectOption('100')
    await expect(page.getByText('Rows 1 - 100 of 10,000+')).toBeVisible()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page.getByText('Rows 101 - 200 of 10,000+')).toBeVisible()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect(page.getByText('Rows 1 - 100 of 10,000+')).toBeVisible()
  })
})

test('the range starts today at 00:00 and ends in an hour (docs/reference/screens.md#usage-log)', async ({ page }) => {
  const today = noon.toLocaleDateString('sv')
  await page.clock.setFixedTime(`${today}T12:34:00`)
  await openLog(page)
  await page.getByRole('button', { name: 'Time range' }).click()
  await expect(page.getByLabel('Start')).toHaveValue(`${today}T00:00`)
  await expect(page.getByLabel('End')).toHaveValue(new RegExp(`^${today}T13:34(:00)?$`))
  await page.getByLabel('Start').fill('2020-01-01T00:00')
  await page.getByLabel('End').fill('2020-01-02T00:00')
  await page.getByRole('button', { name: 'Apply' }).click()
  const range = page.getByRole('button', { name: 'Time range: 2020-01-01 00:00 – 2020-01-02 00:00' })
  await expect(range).toBeVisible()
  await expect(page.getByText('No entries in this period')).toBeVisible()
  await range.click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await expect(rowOf(page, '1->2')).toBeVisible()
})

// In the evening the default range ends on the next day, and the page shows that.
for (const hour of [12, 23])
  test(`the filters of the log take one line in a window of 1280 pixels at ${hour}:30 (docs/reference/design.md#look-and-tone)`, async ({
    page,
  }) => {
    await page.clock.setFixedTime(new Date(noon).setHours(hour, 30))
    await openLog(page)
    const tops = await page
      .locator('.filter-bar-fields')
      .locator('button, input, select')
      .evaluateAll((fields) => fields.map((field) => Math.round(field.getBoundingClientRect().top)))
    expect(tops).toHaveLength(9)
    expect(new Set(tops).size).toBe(1)
  })

test('an entry is shown in Chinese from its facts', async ({ page }) => {
  await openLog(page)
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'zh-CN'))
  await page.reload()
  await rowOf(page, '1->2').locator('[aria-expanded]').click()
  await expect(page.locator('.log-detail')).toContainText('模型倍率 1.25 · 补全倍率 4 · 分组倍率 1')
})

test('the choice of columns and the page size are remembered (docs/reference/screens.md#local-storage)', async ({
  page,
}) => {
  await openLog(page)
  await page.getByRole('button', { name: 'Column settings' }).click()
  await page.getByRole('dialog').getByText('Retry', { exact: true }).click()
  await expect(page.getByRole('checkbox', { name: 'Retry' })).not.toBeChecked()
  await pressEscape(page)
  await expect(page.getByRole('columnheader', { name: 'Retry' })).toHaveCount(0)
  await page.getByLabel('Rows per page').selectOption('20')
  await page.reload()
  await expect(rowOf(page, 'gpt-4o')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Retry' })).toHaveCount(0)
  await expect(page.getByLabel('Rows per page')).toHaveValue('20')
  expect(await page.evaluate(() => localStorage.getItem('logs-table-columns'))).toContain('"retry":false')
})

test('an administrator clicks a name to see the account (docs/reference/screens.md#usage-log)', async ({ page }) => {
  await openLog(page)
  await rowOf(page, '1->2').getByRole('button', { name: 'root', exact: true }).click()
  await page.getByRole('menuitem', { name: 'View account' }).click()
  const account = page.getByRole('dialog')
  await expect(account).toContainText('Requests')
  await expect(account.locator('[title="2,030 quota"]')).toBeVisible()
  await expectAccessible(page)
  await account.getByRole('button', { name: 'Close' }).click()
  await expect(account).toBeHidden()
})

test('a user sees their own rows, and nothing of channels (docs/reference/logs.md#views)', async ({ page }) => {
  const alice = await vendor.person('alice')
  await vendor.asks(alice, 'gpt-4o')
  await page.goto(`${vendor.url}/login`)
  await page.locator('[name=username]').fill('alice')
  await page.locator('[name=password]').fill(ROOT.password)
  await page.locator('form button[type=submit]').click()
  await expect(page).toHaveURL(`${vendor.url}/detail`)
  await page.goto(`${vendor.url}/log`)
  const rows = page.getByRole('row').filter({ hasText: 'gpt-4o' })
  await expect(rows).toHaveCount(1)
  for (const name of ['Channel', 'User', 'Retry'])
    await expect(page.getByRole('columnheader', { name, exact: true })).toHaveCount(0)
  await expect(page.getByLabel('Channel ID')).toHaveCount(0)
  await expect(page.getByLabel('Username')).toHaveCount(0)
  await rows.locator('[aria-expanded]').click()
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText('matches')
  await expect(page.locator('.log-detail')).not.toContainText('Channel')
})

test('a call that its account could not pay at its longest shows how it was limited', async ({ page }) => {
  const short = await vendor.person('short')
  expect(await vendor.asks(short, 'gpt-4o', { max_tokens: 300_000 })).toBe(200)
  await openLog(page)
  await rowOf(page, 'short').locator('[aria-expanded]').click()
  const limit = vendor.upstream.last().json.max_tokens
  await expect(page.locator('.log-detail')).toContainText('Output limit')
  await expect(page.locator('.log-detail')).toContainText(
    `${limit.toLocaleString('en')} tokens, as covered by the remaining quota`,
  )
})

test('a list that cannot be loaded shows the reason and tries again', async ({ page }) => {
  await page.route('**/api/log**', (route) => route.fulfill({ status: 503, body: '' }))
  await signIn(page, vendor.url, '/log')
  await expect(page.getByText('Could not load')).toBeVisible()
  await page.unroute('**/api/log**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rowOf(page, 'gpt-4o')).toBeVisible()
})

test('a change of an option is described with its author, in the language of the reader', async ({ page }) => {
  await vendor.root.put('/api/option', { key: 'DefaultCollapseSidebar', value: false })
  await signIn(page, vendor.url)
  await page.goto(`${vendor.url}/log`)
  const told = 'root changed the option “Collapse sidebar by default” (DefaultCollapseSidebar)'
  await rowOf(page, told).locator('[aria-expanded]').click()
  await expect(page.getByText(told)).toHaveCount(2)
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'zh'))
  await page.reload()
  await expect(rowOf(page, 'root 修改了配置项“默认收起侧边栏”（DefaultCollapseSidebar）')).toBeVisible()
})

test('an export is cancelled, and a refused one shows the reason', async ({ page }) => {
  await openLog(page)
  let isAnswered = false
  await page.route('**/api/log/export?*', async (route) => {
    if (isAnswered) return route.fulfill({ status: 429, json: { success: false, message: 'Others are exporting' } })
    isAnswered = true
  })
  const begin = async () => {
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'JSON' }).click()
  }
  await begin()
  await page.getByRole('button', { name: 'Cancel export' }).click()
  await begin()
  await expect(page.getByText('Others are exporting')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeVisible()
})
