import { expect, type Page } from '@playwright/test'
import { aChannelFixture, type ChannelFixture, choose, expectToast, jsonOf, rowOf, unfold } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

const editorOf = (page: Page, name: string) => page.getByRole('dialog', { name: `Edit ${name}` })
const again = 'The address points to another host. Enter the key again: the stored key is not sent to a new host.'

test('an address of another host needs the key again, which is shown before anything is sent', async ({ page }) => {
  const troubles = troublesOf(page)
  await fixture.show({ name: 'main', key: 'sk-kept' })
  await choose(page, 'main', 'Edit')
  const drawer = editorOf(page, 'main')
  const address = drawer.getByLabel('Base URL')
  await address.fill(`${fixture.upstream.url}/below`)
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, 'Update succeeded')
  await choose(page, 'main', 'Edit')
  await address.fill('https://elsewhere.test')
  let isSent = false
  page.on('request', (request) => {
    isSent ||= request.method() === 'PUT'
  })
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByText(again)).toBeVisible()
  await expect(drawer.getByLabel('Key', { exact: true })).toBeFocused()
  expect(isSent).toBe(false)
  await drawer.getByLabel('Key', { exact: true }).fill('sk-for-elsewhere')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer).toHaveCount(0)
  expect(await fixture.ask('GET', '/api/channel/1')).toMatchObject({ data: { base_url: 'https://elsewhere.test' } })
  expect(troubles).toEqual([])
})

test('a proxy that would read the stored key needs it again, which is shown at its field', async ({ page }) => {
  await fixture.show({ name: 'main', key: 'sk-kept' })
  await choose(page, 'main', 'Edit')
  const drawer = editorOf(page, 'main')
  const key = drawer.getByLabel('Key', { exact: true })
  await unfold(drawer)
  await drawer.getByLabel('Proxy').fill('http://127.0.0.1:9')
  let isSent = false
  page.on('request', (request) => {
    isSent ||= request.method() === 'PUT'
  })
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByText('the new proxy could read the stored key. Enter the key again')).toBeVisible()
  await expect(key).toBeFocused()
  await expect(key).toHaveAttribute('aria-invalid', 'true')
  expect(isSent).toBe(false)
  await key.fill('sk-again')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer).toHaveCount(0)
})

test('saved passwords are masked in the editor, stay when they are unchanged, and do not go to another proxy', async ({
  page,
}) => {
  const setting = JSON.stringify({ proxy: 'socks5://user:pass-word-9@127.0.0.1:9' })
  const override = JSON.stringify({ extra_headers: { 'x-team': 'hidden-9' }, temperature: 0 })
  await fixture.show({ name: 'main', setting, param_override: override })
  await choose(page, 'main', 'Edit')
  const drawer = editorOf(page, 'main')
  const proxy = drawer.getByLabel('Proxy')
  await unfold(drawer)
  await expect(proxy).toHaveValue('socks5://user:••••@127.0.0.1:9')
  await expect(await jsonOf(drawer, 'Parameter override')).toHaveValue(/"x-team": ?"••••"/)
  await expect(drawer.getByText('•••• represents a saved secret')).toHaveCount(2)
  await drawer.getByRole('button', { name: 'Test proxy' }).click()
  await expect(drawer.locator('.proxy-verdict .verdict-line')).toBeVisible()
  await drawer.getByLabel('Weight').fill('7')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, 'Update succeeded')
  const kept = await fixture.ask('GET', '/api/channel/1')
  expect(kept).toMatchObject({ data: { weight: 7, setting: '{"proxy":"socks5://user:••••@127.0.0.1:9"}' } })
  await choose(page, 'main', 'Edit')
  await unfold(drawer)
  await proxy.fill('socks5://user:••••@127.0.0.1:10')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByText('the new proxy could read the stored key')).toBeVisible()
  await expect(drawer.getByText('the new proxy could read the saved secrets')).toBeVisible()
  await drawer.getByLabel('Base URL').fill('https://elsewhere.test')
  await drawer.getByLabel('Key', { exact: true }).fill('sk-for-elsewhere')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByText('The address points to another host. Enter the saved secrets again')).toBeVisible()
  await (await jsonOf(drawer, 'Parameter override')).fill('{"temperature":0}')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, /proxy: enter the saved secret again/)
  await proxy.fill('socks5://user:another-1@127.0.0.1:10')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer).toHaveCount(0)
})

test('a list of models that cannot be loaded is reported, and can be loaded again (docs/reference/screens.md#channel-editor)', async ({
  page,
}) => {
  await fixture.show()
  const path = /\/api\/channel\/models$/
  await page.route(path, (route) => route.fulfill({ json: { success: false, message: 'out of order' } }))
  await page.getByRole('button', { name: 'Add channel' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Add channel' })
  const notice = drawer.getByRole('alert').filter({ hasText: 'The list of known models could not be loaded' })
  await expect(notice).toContainText('out of order')
  await page.unroute(path)
  await notice.getByRole('button', { name: 'Try again' }).click()
  await expect(notice).toHaveCount(0)
})

test('a tag is given priority and weight, zero included; blank ones stay (docs/reference/screens.md#channels)', async ({
  page,
}) => {
  await fixture.show({ name: 'one', tag: 'west', priority: 3, weight: 4 }, { name: 'two', tag: 'west', weight: 9 })
  await page.getByText('Group by tag').click()
  await choose(page, 'Tag: west', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit tag west' })
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, 'There are no changes to save')
  await drawer.getByLabel('Priority').fill('1.5')
  await drawer.getByLabel('Weight').fill('-1')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByLabel('Priority')).toHaveAttribute('aria-invalid', 'true')
  await expect(drawer.getByLabel('Weight')).toHaveAttribute('aria-invalid', 'true')
  await drawer.getByLabel('Priority').fill('')
  await drawer.getByLabel('Weight').fill('0')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, 'Update succeeded')
  const rows = await fixture.ask('GET', '/api/channel/?id_sort=true')
  expect(rows).toMatchObject({
    data: [
      { priority: 0, weight: 0 },
      { priority: 3, weight: 0 },
    ],
  })
  await choose(page, 'Tag: west', 'Edit')
  await drawer.getByLabel('Priority').fill('-5')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer).toHaveCount(0)
  const both = await fixture.ask('GET', '/api/channel/?id_sort=true')
  expect(both).toMatchObject({
    data: [
      { priority: -5, weight: 0 },
      { priority: -5, weight: 0 },
    ],
  })
  await expect(rowOf(page, 'Tag: west')).toBeVisible()
})
