import { expect, type Locator, type Page } from '@playwright/test'
import { aChannelFixture, type ChannelFixture, expectToast, jsonOf } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

test('name, key, a model and a readable mapping are needed; then the channel is there (docs/reference/screens.md#channel-editor)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await fixture.show()
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
  await drawer.getByLabel('Base URL').fill(`${fixture.upstream.url}//`)
  await submit(drawer)
  await expectToast(page, 'Channel main added')
  expect(await fixture.ask('GET', '/api/channel/1')).toMatchObject({
    data: { models: 'gpt-4o,my-model', base_url: fixture.upstream.url, auto_ban: 1, group: 'default' },
  })
  expect(troubles).toEqual([])
})

async function open(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add channel' }).first().click()
  return page.getByRole('dialog', { name: 'Add channel' })
}

const submit = (drawer: Locator): Promise<void> => drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
