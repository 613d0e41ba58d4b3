import { expect, type Locator } from '@playwright/test'
import { aChannelFixture, type ChannelFixture, choose, expectToast, unfold } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { goodVendor } from './tried-vendor.ts'
import { tick, troublesOf } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

test('Enter in a list of names adds the typed text, the arrows choose, and neither submits (docs/reference/screens.md#forms)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await fixture.show({ name: 'main', models: 'gpt-4o' })
  await choose(page, 'main', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit main' })
  const models = drawer.getByRole('textbox', { name: 'Supported models', exact: true })
  await models.fill('gpt-4')
  await models.press('Enter')
  await expect(models).toHaveValue('')
  await expect(tagsOf(drawer, 'gpt-4')).toBeVisible()
  await models.press('Enter')
  await models.fill('gpt-4')
  await models.press('Enter')
  await expect(drawer.getByText('Models: 2')).toBeVisible()
  await models.pressSequentially('claude-x，my model')
  await models.press('Enter')
  await expect(drawer.getByText('Models: 4')).toBeVisible()
  await models.fill('gpt-4o-m')
  await models.press('ArrowDown')
  await models.press('Enter')
  await expect(tagsOf(drawer, 'gpt-4o-mini')).toBeVisible()
  await expect(drawer).toBeVisible()
  expect(await modelsOf(1)).toBe('gpt-4o')
  await expect(models).toHaveValue('')
  await tagsOf(drawer, 'claude-x').press('Enter')
  await expect(drawer.getByText('Models: 4')).toBeVisible()
  await expect(tagsOf(drawer, 'my model')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(tagsOf(drawer, 'gpt-4o-mini')).toBeFocused()
  await expect(drawer.getByText('Models: 3')).toBeVisible()
  await models.focus()
  await models.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await models.fill('typed-last')
  await models.press('Control+Enter')
  await expectToast(page, 'Update succeeded')
  expect(await modelsOf(1)).toBe('gpt-4o,gpt-4,gpt-4o-mini,typed-last')
  expect(troubles).toEqual([])
})

test('text that is typed and not yet added counts, in every list of a form, for every method of saving (docs/reference/screens.md#forms)', async ({
  page,
}) => {
  await fixture.show({ name: 'main', models: 'gpt-4o' })
  await choose(page, 'main', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit main' })
  await unfold(drawer)
  await drawer.getByRole('textbox', { name: 'Supported models', exact: true }).fill('one')
  await drawer.getByLabel('Custom model names').fill('two, gpt-4o')
  await drawer.getByRole('textbox', { name: 'Groups' }).fill('vip')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, 'Update succeeded')
  expect(await fixture.ask('GET', '/api/channel/1')).toMatchObject({
    data: { models: 'gpt-4o,one,two', group: 'default,vip' },
  })
})

test('a token’s models are typed likewise, and Ctrl+Enter saves from a switch (docs/reference/screens.md#forms)', async ({
  page,
}) => {
  await page.goto(`${fixture.gateway.url}/token`)
  await page.getByRole('button', { name: 'Add token' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Add token' })
  await drawer.getByLabel('Name', { exact: true }).fill('laptop')
  const limits = drawer.getByRole('checkbox', { name: 'Limit models' })
  await tick(limits)
  const models = drawer.getByRole('textbox', { name: 'Allowed models' })
  await models.fill('gpt-4o')
  await models.press('Enter')
  await models.fill('o9')
  await limits.focus()
  await page.keyboard.press('Control+Enter')
  await expectToast(page, 'Token laptop created')
  expect(await fixture.ask('GET', '/api/token')).toMatchObject({ data: [{ model_limits: 'gpt-4o,o9' }] })
})

test('Enter in the models of a new provider adds; saving includes the typed text (docs/reference/screens.md#forms)', async ({
  page,
}) => {
  fixture.upstream.answers(goodVendor)
  await page.goto(`${fixture.gateway.url}/connect/provider`)
  await page.getByLabel('API key').fill('sk-proj-a-good-key')
  await page.getByLabel('Address').fill(fixture.upstream.url)
  await page.keyboard.press('Control+Enter')
  const save = page.getByRole('button', { name: 'Save and connect a client' })
  await expect(save).toBeFocused()
  const asked = fixture.upstream.requests.length
  const models = page.getByRole('textbox', { name: 'Models', exact: true })
  await models.fill('typed-one')
  await models.press('Enter')
  await expect(page.getByRole('button', { name: 'Remove “typed-one”' })).toBeVisible()
  await models.fill('typed-two')
  await save.click()
  await expect(page).toHaveURL(`${fixture.gateway.url}/connect/client`)
  expect(await modelsOf(1)).toMatch(/typed-one,typed-two$/)
  expect(fixture.upstream.requests.length).toBe(asked)
})

test('a key press in a dialog over a form does not submit the form (docs/reference/screens.md#forms)', async ({
  page,
}) => {
  await fixture.show({ name: 'main', models: 'gpt-4o' })
  await choose(page, 'main', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit main' })
  await drawer.getByLabel('Name', { exact: true }).fill('renamed')
  await drawer.getByRole('button', { name: 'Keys…' }).click()
  const keys = page.getByRole('dialog', { name: /Keys of/ })
  await keys.getByLabel('Add keys').fill('sk-two')
  await page.keyboard.press('Control+Enter')
  await expectToast(page, 'Keys added: 1')
  expect(await fixture.ask('GET', '/api/channel/1')).toMatchObject({ data: { name: 'main', key_count: 2 } })
})

const tagsOf = (drawer: Locator, name: string): Locator =>
  drawer.getByRole('button', { name: `Remove “${name}”`, exact: true })

async function modelsOf(id: number): Promise<unknown> {
  const { data } = await fixture.ask('GET', `/api/channel/${id}`)
  return typeof data === 'object' && data && 'models' in data ? data.models : undefined
}
