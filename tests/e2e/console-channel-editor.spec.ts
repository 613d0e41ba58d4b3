import { expect, type Locator, type Page } from '@playwright/test'
import { aChannelDesk, type ChannelDesk, choose, expectToast, jsonOf, unfold } from './channel-desk.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let desk: ChannelDesk
test.beforeEach(async ({ page }) => {
  desk = await aChannelDesk(page)
})
test.afterEach(() => desk.stop())

test('name, key, a model and a readable mapping are needed; then the channel is there (docs/reference/screens.md#channel-editor)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await desk.show()
  const drawer = await open(page)
  await submit(drawer)
  await expect(drawer.getByText('Enter a name')).toBeVisible()
  await expect(drawer.getByText('Enter the key')).toBeVisible()
  await expect(drawer.getByText('Select at least one model')).toBeVisible()
  await drawer.getByLabel('Name', { exact: true }).fill('main')
  await drawer.getByLabel('Key', { exact: true }).fill('sk-one')
  await drawer.getByLabel('Custom model names').fill('gpt-4o, my-model')
  await drawer.getByLabel('Custom model names').press('Enter')
  await drawer.getByLabel('Custom model names').fill('my-model')
  await drawer.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(drawer.getByText('Some of these models are already in the list')).toBeVisible()
  await (await jsonOf(drawer, 'Model mapping')).fill('[1]')
  await submit(drawer)
  await expect(drawer.getByText('Model mapping must be valid JSON')).toBeVisible()
  await (await jsonOf(drawer, 'Model mapping')).fill('{"my-model":"real-name"}')
  await drawer.getByLabel('Base URL').fill(`${desk.upstream.url}//`)
  await submit(drawer)
  await expectToast(page, 'Channel main added')
  expect(await desk.ask('GET', '/api/channel/1')).toMatchObject({
    data: { models: 'gpt-4o,my-model', base_url: desk.upstream.url, auto_ban: 1, group: 'default' },
  })
  expect(troubles).toEqual([])
})

test('every field is written and read again; an empty key keeps the stored one (docs/reference/channels.md#writing)', async ({
  page,
}) => {
  // At the proxy's own host: the key would have to be entered again for another.
  const before = JSON.stringify({ proxy: 'socks5h://127.0.0.1:1080' })
  await desk.show({ name: 'main', key: 'sk-kept', setting: before })
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
  const { data } = await desk.ask('GET', '/api/channel/1')
  expect(data).toMatchObject({
    openai_organization: 'org-1',
    test_model: 'gpt-4o-mini',
    priority: 3,
    weight: 4,
    max_input_tokens: 9000,
    tag: 'west',
    auto_ban: 0,
  })
  const { setting, status_code_mapping: statuses, param_override: override } = data as Record<string, string> // texts
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
  expect(desk.upstream.last().headers.authorization).toBe('Bearer sk-kept')
  expect(desk.upstream.last().json.model).toBe('gpt-4o-mini')
})

async function open(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add channel' }).first().click()
  return page.getByRole('dialog', { name: 'Add channel' })
}

const submit = (drawer: Locator): Promise<void> => drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
