import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessible.ts'
import {
  aChannelFixture,
  type ChannelFixture,
  choose,
  expectToast,
  jsonOf,
  listing,
  rowOf,
  unfold,
} from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { tick, troublesOf } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

test('an address that ends in /v1 causes a question; the preview shows the URL that is called (docs/reference/screens.md#channel-editor)', async ({
  page,
}) => {
  await fixture.show()
  const drawer = await open(page)
  await fillIn(drawer)
  const preview = drawer.locator('.address-preview')
  await drawer.getByLabel('Base URL').fill('https://example.test/v1/')
  await expect(preview).toContainText('Use https://example.test')
  await expect(preview).toContainText('Requests are sent to https://example.test/v1/chat/completions')
  await submit(drawer)
  const question = page.getByRole('alertdialog', { name: 'Correct the address?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await submit(drawer)
  await question.getByRole('button', { name: 'Correct and save' }).click()
  await expectToast(page, 'Channel main added')
  expect(await fixture.ask('GET', '/api/channel/1')).toMatchObject({ data: { base_url: 'https://example.test' } })
  await choose(page, 'main', 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit main' })
  await edit.getByLabel('Base URL').fill('https://example.test/v1')
  await submit(edit)
  await question.getByRole('button', { name: 'Keep as entered' }).click()
  await expectToast(page, 'Update succeeded')
  expect(await fixture.ask('GET', '/api/channel/1')).toMatchObject({ data: { base_url: 'https://example.test/v1' } })
})

test('typing at once after choosing Edit from the menu loses no letter', async ({ page }) => {
  await fixture.show({ name: 'main' })
  await page.getByRole('button', { name: 'Actions for main', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const name = page.getByRole('dialog', { name: 'Edit main' }).getByLabel('Name', { exact: true })
  await name.click()
  await page.keyboard.type(' of the west', { delay: 50 })
  await expect(name).toHaveValue('main of the west')
  await page.keyboard.press('Escape')
})

test('every field is written and read again; an empty key preserves the stored one (docs/reference/channels.md#writing)', async ({
  page,
}) => {
  // On the host of the new proxy: another host would require entering the key again.
  const before = JSON.stringify({ proxy: 'socks5h://127.0.0.1:1080' })
  await fixture.show({ name: 'main', key: 'sk-kept', setting: before })
  await choose(page, 'main', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit main' })
  const fields = {
    Organization: 'org-1',
    'Test model': 'gpt-4o-mini',
    Priority: '3',
    Weight: '4',
    'Max prompt length': '9000',
    Proxy: 'socks5://127.0.0.1:1080',
  }
  const columns = {
    'Status code mapping': '{"429":"500"}',
    'Parameter override': '{"temperature":0}',
    'Extra settings': '{"force_format":true}',
  }
  await unfold(drawer)
  for (const [label, value] of Object.entries(fields)) await drawer.getByLabel(label, { exact: true }).fill(value)
  for (const [label, text] of Object.entries(columns)) await (await jsonOf(drawer, label)).fill(text)
  await drawer.getByLabel('API format').selectOption('OpenAI Chat')
  await drawer.getByLabel('Tag', { exact: true }).fill('west')
  await drawer.getByText('Disable automatically on failure').click()
  await submit(drawer)
  await expectToast(page, 'Update succeeded')
  const { data } = await fixture.ask('GET', '/api/channel/1')
  expect(data).toMatchObject({
    openai_organization: 'org-1',
    test_model: 'gpt-4o-mini',
    priority: 3,
    weight: 4,
    max_input_tokens: 9000,
    tag: 'west',
    auto_ban: 0,
  })
  const { setting, status_code_mapping: statuses, param_override: override } = data as Record<string, string> // these fields are strings
  expect(JSON.parse(setting ?? '')).toEqual({ force_format: true, proxy: fields.Proxy, api_format: 'chat' })
  expect(JSON.parse(statuses ?? '')).toEqual({ 429: '500' })
  expect(JSON.parse(override ?? '')).toEqual({ temperature: 0 })
  await choose(page, 'main', 'Edit')
  await unfold(drawer)
  await expect(drawer.getByLabel('Proxy')).toHaveValue(fields.Proxy)
  await expect(drawer.getByLabel('API format')).toHaveValue('chat')
  await drawer.getByLabel('Proxy').fill('')
  await drawer.getByLabel('Tag', { exact: true }).fill('')
  await submit(drawer)
  await expect(drawer).toHaveCount(0)
  await page.getByRole('button', { name: 'Test main', exact: true }).click()
  await expectToast(page, 'Channel main ok')
  expect(fixture.upstream.last().headers.authorization).toBe('Bearer sk-kept')
  expect(fixture.upstream.last().json.model).toBe('gpt-4o-mini')
})

test('settings are switches, fields and rows; the JSON behind them follows, and loses nothing it does not know', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  const setting = JSON.stringify({ of_tomorrow: { deep: [1] }, force_format: true })
  await fixture.show({ name: 'main', setting, weight: 4 })
  await choose(page, 'main', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit main' })
  const head = (name: string) =>
    drawer.getByRole('button', { name, exact: false, expanded: false }).filter({ hasText: name })
  await expect(head('Routing')).toContainText('1 set')
  await expect(head('Requests')).not.toContainText('set')
  await expect(head('Extra settings')).toContainText('2 set')
  await unfold(drawer)
  await expect(drawer.getByLabel('Rewrite responses to the exact Chat format')).toBeChecked()
  await expect(drawer.getByText('Other settings, unchanged: of_tomorrow')).toBeVisible()
  await tick(drawer.getByLabel('Rewrite responses to the exact Chat format'), false)
  await drawer.getByLabel('Max concurrent requests').fill('12')
  const json = await jsonOf(drawer, 'Extra settings')
  await expect(json).toHaveValue(/"of_tomorrow"[\s\S]*"max_concurrency": 12/)
  await json.fill('{"of_tomorrow":{"deep":[1]},"max_concurrency":3,"disable_store":true}')
  await expect(drawer.getByLabel('Max concurrent requests')).toHaveValue('3')
  await expect(drawer.getByLabel('Do not let the provider store responses')).toBeChecked()

  const mapping = drawer.getByRole('group', { name: 'Model mapping' })
  await mapping.getByRole('button', { name: 'Add row' }).click()
  await mapping.getByLabel('Requested model, row 1').fill('gpt-4')
  await mapping.getByLabel('Model at the provider, row 1').fill('gpt-4o')
  const override = drawer.getByRole('group', { name: 'Parameter override' })
  await override.getByRole('button', { name: 'Add row' }).click()
  await override.getByLabel('Field, row 1').fill('temperature')
  await override.getByLabel('Value, row 1').fill('0.5')
  await (await jsonOf(drawer, 'Parameter override')).fill('{"temperature":0.5,"user":"team"}')
  await expect(override.getByLabel('Value, row 2')).toHaveValue('team')
  await override.getByRole('button', { name: 'Remove row temperature' }).click()
  await expectAccessibleInBothThemes(page)
  await submit(drawer)
  await expectToast(page, 'Update succeeded')
  const { data } = await fixture.ask('GET', '/api/channel/1')
  const { setting: stored, model_mapping: models, param_override: body } = data as Record<string, string> // these fields are strings
  expect(JSON.parse(stored ?? '')).toEqual({ of_tomorrow: { deep: [1] }, max_concurrency: 3, disable_store: true })
  expect(JSON.parse(models ?? '')).toEqual({ 'gpt-4': 'gpt-4o' })
  expect(JSON.parse(body ?? '')).toEqual({ user: 'team' })
  expect(troubles).toEqual([])
})

test('a problem in a folded section opens it, is shown in its head, and gets the focus', async ({ page }) => {
  await fixture.show({ name: 'main' })
  await page.goto(`${fixture.gateway.url}/channel/edit/1`)
  const drawer = page.getByRole('dialog', { name: 'Edit main' })
  const head = drawer.getByRole('button', { name: 'Routing' })
  await head.click()
  await drawer.getByLabel('Weight', { exact: true }).fill('-1')
  await head.click()
  await expect(drawer.getByLabel('Weight', { exact: true })).toBeHidden()
  await submit(drawer)
  await expect(head).toContainText('Check the fields')
  await expect(drawer.getByLabel('Weight', { exact: true })).toBeFocused()
})

test('models are fetched from the vendor, which needs a key on creation (docs/reference/screens.md#channel-editor)', async ({
  page,
}) => {
  await fixture.show()
  fixture.upstream.answers(listing(['fresh-one', 'fresh-two']))
  const drawer = await open(page)
  await drawer.getByLabel('Base URL').fill(fixture.upstream.url)
  await drawer.getByRole('button', { name: 'Fetch from provider' }).click()
  await expectToast(page, 'Enter the key')
  await drawer.getByLabel('Key', { exact: true }).fill('sk-asked')
  await drawer.getByRole('button', { name: 'Fetch from provider' }).click()
  await expectToast(page, 'Models fetched: 2, new: 2')
  expect(fixture.upstream.last().headers.authorization).toBe('Bearer sk-asked')
  await expect(drawer.getByText('fresh-two')).toBeVisible()
  await drawer.getByRole('button', { name: 'Add related models' }).click()
  await expect(drawer.getByText('gpt-4o-mini', { exact: true })).toBeVisible()
  await drawer.getByRole('button', { name: 'Clear models' }).click()
  await expect(drawer.getByText('Models: 0')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('channel_models'))).toContain('gpt-4o')
})

test('a failure with a long message can be closed, and read to its end', async ({ page }) => {
  await fixture.show({ name: 'main' })
  const message = `${'x'.repeat(20_000)} the end`
  await page.route('**/api/channel', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ json: { success: false, message } }) : route.fallback(),
  )
  await choose(page, 'main', 'Disable')
  const toast = page.locator('.bp6-toast')
  await expect(toast).toContainText('the end')
  await expect(toast.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
  await toast.getByRole('button', { name: 'Close' }).click()
  await expect(toast).toHaveCount(0)
})

test('one channel for each line of keys (docs/reference/channels.md#writing)', async ({ page }) => {
  await fixture.show()
  const drawer = await open(page)
  await fillIn(drawer)
  await drawer.getByText('Multiple keys').click()
  await drawer.getByLabel('Key', { exact: true }).fill('sk-one\n\nsk-two\nsk-three')
  await expect(drawer.getByText('Channels to be created: 3')).toBeVisible()
  await submit(drawer)
  await expectToast(page, 'Channels added: 3')
  await expect(rowOf(page, 'main')).toHaveCount(3)
})

test('the form follows the type of the channel (docs/reference/screens.md#channel-editor)', async ({ page }) => {
  await fixture.show()
  const drawer = await open(page)
  const type = drawer.getByLabel('Type', { exact: true })
  const hinted: readonly [string, string | RegExp][] = [
    ['Azure OpenAI', 'keep the dots in model names'],
    ['Custom endpoint', 'Nothing is added to this URL'],
    ['Baidu Qianfan (v1)', 'Format: APIKey|SecretKey'],
    ['iFlytek Spark', 'Format: APPID|APISecret|APIKey'],
    ['Knowledge base: AI Proxy', 'Knowledge base ID'],
    ['Knowledge base: FastGPT', 'Deployment address'],
    ['Tencent Hunyuan', 'Format: AppId|SecretId|SecretKey'],
    ['AWS Claude (Bedrock)', 'Format: AccessKey|SecretKey|Region'],
    ['Dify', 'Only chatflow and agent applications are supported'],
    ['Cloudflare Workers AI', 'Account ID'],
    ['SiliconCloud', 'models from many companies'],
    ['Vertex AI', 'Service account JSON'],
    ['Volcengine Ark / Doubao', 'named by their endpoint IDs'],
    ['Coze', 'Bot ID'],
  ]
  for (const [label, text] of hinted) {
    await type.selectOption(label)
    await expect(drawer.getByText(text).first()).toBeVisible()
  }
  await type.selectOption('Midjourney Proxy')
  await expect(drawer.getByText('mj_imagine')).toBeVisible()
  await type.selectOption('Suno API')
  await expect(drawer.getByText('suno_music')).toBeVisible()
  await expect(drawer.getByText('mj_imagine')).toHaveCount(0)
  await type.selectOption('iFlytek Spark')
  await fillIn(drawer)
  await submit(drawer)
  await expectToast(page, 'Channel main added')
  expect(await fixture.ask('GET', '/api/channel/1')).toMatchObject({ data: { type: 18, other: 'v2.1' } })
})

test('saving a form preserves changes that others saved meanwhile (docs/reference/channels.md#writing)', async ({
  page,
}) => {
  await fixture.show({ name: 'main', weight: 1 })
  await choose(page, 'main', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit main' })
  await drawer.getByLabel('Name', { exact: true }).fill('mine')
  const theirs = { models: 'gpt-4o', priority: 7, base_url: `${fixture.upstream.url}/theirs`, setting: '{"a":1}' }
  expect(await fixture.ask('PUT', '/api/channel', { id: 1, ...theirs })).toMatchObject({ success: true })
  await submit(drawer)
  await expectToast(page, 'Update succeeded')
  expect(await fixture.ask('GET', '/api/channel/1')).toMatchObject({ data: { name: 'mine', weight: 1, ...theirs } })
})

test('a key goes to the address it was entered with, no matter what others saved meanwhile', async ({ page }) => {
  await fixture.show({ name: 'main' })
  await choose(page, 'main', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit main' })
  await drawer.getByLabel('Key', { exact: true }).fill('sk-two')
  const theirs = { base_url: 'https://theirs.test', key: 'sk-theirs', priority: 7 }
  expect(await fixture.ask('PUT', '/api/channel', { id: 1, ...theirs })).toMatchObject({ success: true })
  await submit(drawer)
  await expectToast(page, 'Update succeeded')
  const { data } = await fixture.ask('GET', '/api/channel/1')
  expect(data).toMatchObject({ base_url: fixture.upstream.url, priority: 7 })
})

test('the page and its form are Chinese for a Chinese user', async ({ page }) => {
  await fixture.show({ name: 'main' })
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'zh'))
  await page.reload()
  await page.getByRole('button', { name: '添加渠道' }).click()
  const drawer = page.getByRole('dialog', { name: '添加渠道' })
  await drawer.getByRole('button', { name: '保存', exact: true }).click()
  await expect(drawer.getByText('请填写名称')).toBeVisible()
  await expect(drawer.getByText('请填写密钥')).toBeVisible()
  await expect(drawer.getByText('请至少选择一个模型！')).toBeVisible()
})

async function open(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add channel' }).first().click()
  return page.getByRole('dialog', { name: 'Add channel' })
}

/** Fills in the required fields of a channel. */
async function fillIn(drawer: Locator): Promise<void> {
  await drawer.getByLabel('Name', { exact: true }).fill('main')
  await drawer.getByLabel('Key', { exact: true }).fill('sk-one')
  await drawer.getByLabel('Custom model names').fill('gpt-4o')
  await drawer.getByLabel('Custom model names').press('Enter')
}

const submit = (drawer: Locator): Promise<void> => drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
