import { expect, type Locator, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { answers, say } from './play-fixture.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, signIn, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel({ name: 'Main account', models: 'gpt-4o,house-model,play-model' })
  dataOf(await vendor.root.put('/api/option', { key: 'ModelRatio', value: '{"gpt-4o":1.25}' }))
  await vendor.inner.db.insertInto('logs').values(failures).execute()
})
test.afterAll(() => vendor.stop())

const now = Math.floor(Date.now() / 1000)

/** A failed request of the administrator's token. */
const failure = (model: string, code: string, fields: object = {}) => ({
  ...{ user_id: 1, created_at: now, type: 5, username: 'root', token_name: 'laptop', token_id: 1, model_name: model },
  ...{ group: 'vip', is_stream: 0, use_time: 0, channel_id: 0, request_id: `of-${model}`, content: code, ...fields },
  other: JSON.stringify({ request_id: `of-${model}`, error_code: code, status_code: 403 }),
})
const failures = [
  failure('house-model', 'model_price_error'),
  failure('no-such-model', 'no_available_channel'),
  failure('dear-model', 'pre_consume_token_quota_failed'),
  failure('gpt-4o', 'invalid_api_key', { channel_id: 1 }),
]

/** Opens the entry of a model, and returns the help on its error. */
async function helpFor(page: Page, model: string): Promise<Locator> {
  const row = page.getByRole('row').filter({ hasText: model }).first()
  await row.locator('[aria-expanded]').click()
  return page.locator('.log-detail', { hasText: `of-${model}` })
}

test('an error in the log leads to where its reason is mended (docs/reference/screens.md#usage-log)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await signIn(page, vendor.url, '/log')
  const leadsTo = (help: Locator, name: string, path: string) =>
    expect(help.getByRole('link', { name })).toHaveAttribute('href', path)

  const missing = await helpFor(page, 'no-such-model')
  await leadsTo(missing, 'Open channels', '/channel')
  await leadsTo(missing, 'Routing explorer', '/explain-routing?model=no-such-model&group=vip')
  await leadsTo(await helpFor(page, 'dear-model'), 'Open API tokens', '/token')
  await leadsTo(await helpFor(page, 'gpt-4o'), 'Edit channel #1 Main account', '/channel/edit/1')

  const unpriced = await helpFor(page, 'house-model')
  await expectAccessibleInBothThemes(page)
  await unpriced.getByLabel('Input, per 1M tokens').fill('2')
  await unpriced.getByLabel('Output, per 1M tokens').fill('4')
  await unpriced.getByRole('button', { name: 'Save price' }).click()
  await expect(page.getByText('Price of house-model saved')).toBeVisible()
  const prices = dataOf(await vendor.root.post('/api/channel/prices', { models: ['house-model'] }))
  expect(prices).toMatchObject([{ input: 2, output: 4 }])
  expect(troubles).toEqual([])
})

test('an error in the playground does, too: a missing price is set on the spot, and the answer comes', async ({
  page,
}) => {
  await signIn(page, vendor.url, '/playground')
  await page.getByLabel('Model', { exact: true }).fill('play-model')
  await page.getByRole('option', { name: 'play-model' }).click()
  await say(page, 'Hi')
  const refused = answers(page).getByRole('alert')
  await expect(refused).toContainText('No price is set for the model play-model')
  await refused.getByLabel('Input, per 1M tokens').fill('2')
  await refused.getByLabel('Output, per 1M tokens').fill('4')
  await refused.getByRole('button', { name: 'Save price' }).click()
  await expect(page.getByText('Price of play-model saved')).toBeVisible()
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await expect(refused).toBeHidden()
})

test('a user who is not an administrator is referred to one, and sees no form of prices', async ({ page }) => {
  await vendor.channel({ name: 'Unpriced', models: 'unpriced-model' })
  await vendor.person('ann')
  await holdSession(page.context(), vendor.url, 'ann')
  await page.goto(`${vendor.url}/playground`)
  await page.getByLabel('Model', { exact: true }).fill('unpriced-model')
  await page.getByRole('option', { name: 'unpriced-model' }).click()
  await say(page, 'Hi')
  const refused = answers(page).getByRole('alert')
  await expect(refused).toContainText('An administrator can set a price')
  await expect(refused.getByRole('textbox')).toHaveCount(0)
  await expect(refused.getByRole('link')).toHaveCount(0)
})

test('the gateway’s own groups have names in Chinese, and are called as ever', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('i18nextLng', 'zh'))
  await signIn(page, vendor.url, '/channel/edit/1')
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: /^路由/ }).click()
  const groups = drawer.getByRole('textbox', { name: '分组' })
  await expect(drawer.getByText('默认', { exact: true })).toBeVisible()
  await groups.fill('VIP')
  await groups.press('Enter')
  const saved = page.waitForRequest((request) => request.method() === 'PUT')
  await groups.press('Control+Enter')
  expect((await saved).postDataJSON()).toMatchObject({ group: 'default,vip' })
  await expect(page.getByRole('row', { name: /Main account/ }).getByText('VIP', { exact: true })).toBeVisible()
})
