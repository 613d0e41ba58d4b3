import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { aChannelFixture, type ChannelFixture, choose, confirm, expectToast, jsonOf, rowOf } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { pressEscape, tick, troublesOf } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

test('a failed test shows the vendor’s message; a running series of tests can be stopped', async ({ page }) => {
  await fixture.show({ name: 'main' })
  fixture.upstream.answers({ status: 401, body: { error: { message: 'wrong key' } } })
  await page.getByRole('button', { name: 'Test main', exact: true }).click()
  await expectToast(page, /main: The key was rejected.*status code 401: wrong key/)
  fixture.upstream.answers({ hang: true })
  await page.getByRole('button', { name: 'Test individual models of main' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test models of main' })
  await dialog.getByRole('button', { name: 'Test all (2)' }).click()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await expect(dialog.getByRole('button', { name: 'Test all (2)' })).toBeVisible()
})

test('a click on the balance queries the vendor (docs/reference/screens.md#channels)', async ({ page }) => {
  await fixture.show({ name: 'main' })
  fixture.upstream.answers({ body: { hard_limit_usd: 50, has_payment_method: true } }, { body: { total_usage: 1234 } })
  await page.getByRole('button', { name: 'Balance of main: not queried yet. Update' }).click()
  await expectToast(page, 'Balance of channel main updated')
  await expect(page.getByRole('button', { name: 'Balance of main: $37.66. Update' })).toBeVisible()
})

test('priority and weight are changed in the row; a weight is at least 0 (docs/reference/screens.md#channels)', async ({
  page,
}) => {
  await fixture.show({ name: 'main' })
  const priority = page.getByRole('textbox', { name: 'Priority: main' })
  await priority.fill('7')
  await priority.press('Enter')
  await expectToast(page, 'Priority: main is now 7')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(priority).toHaveValue('0')
  await priority.fill('7')
  await priority.press('Enter')
  await expectToast(page, 'Priority: main is now 7')
  const weight = page.getByRole('textbox', { name: 'Weight: main' })
  await weight.fill('-4')
  await weight.blur()
  await expect(weight).toHaveValue('0')
  await priority.fill('seven')
  await priority.blur()
  await expect(priority).toHaveValue('7')
  await page.reload()
  await expect(priority).toHaveValue('7')
})

test('channels under tags: enable all, disable all, numbers for all, edit (docs/reference/screens.md#channels)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await fixture.show(
    { name: 'one', tag: 'west', group: 'vip,default' },
    { name: 'two', tag: 'west' },
    { name: 'three' },
  )
  await page.getByText('Group by tag').click()
  const west = rowOf(page, 'Tag: west')
  await expect(west).toContainText('2 of 2 enabled')
  await expect(west).toContainText(/default.*vip/)
  await expect(rowOf(page, 'No tag')).toBeVisible()
  await choose(page, 'Tag: west', 'Disable all')
  await expect(west).toContainText('0 of 2 enabled')
  await choose(page, 'Tag: west', 'Enable all')
  await expect(west).toContainText('2 of 2 enabled')

  await page.getByRole('textbox', { name: 'Priority: Tag: west' }).fill('5')
  await page.getByRole('textbox', { name: 'Priority: Tag: west' }).press('Enter')
  await confirm(page, 'Set Priority to 5 for all channels tagged “west”?', 'Confirm')
  await page.getByRole('button', { name: 'Details of west' }).click()
  await expect(page.getByRole('textbox', { name: 'Priority: one' })).toHaveValue('5')

  await choose(page, 'Tag: west', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit tag west' })
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, 'There are no changes to save')
  await drawer.getByLabel('New tag').fill('north')
  await drawer.getByRole('button', { name: 'Start with the longest model list in this tag' }).click()
  await drawer.getByLabel('Custom model names').fill('o3')
  await drawer.getByLabel('Custom model names').press('Enter')
  await drawer.getByRole('button', { name: 'Add row' }).click()
  await drawer.getByLabel('Requested model, row 1').fill('a')
  await expect(await jsonOf(drawer, 'Model mapping')).toHaveValue('{\n  "a": ""\n}')
  await drawer.getByLabel('Model mapping (JSON)', { exact: true }).fill('{"a":')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByText('Model mapping must be valid JSON')).toBeVisible()
  await drawer.getByRole('radio', { name: 'Clear in all channels' }).click()
  await expect(drawer.getByLabel('Requested model, row 1')).toHaveCount(0)
  await expectAccessible(page)
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(rowOf(page, 'Tag: north')).toBeVisible()
  expect(await fixture.ask('GET', '/api/channel/1')).toMatchObject({
    data: { models: 'gpt-4o,gpt-4o-mini,o3', tag: 'north' },
  })
  expect(await page.evaluate(() => localStorage.getItem('enable-tag-mode'))).toBe('true')
  expect(troubles).toEqual([])
})

test('batch deletion and tags need a selection, and a tag needs a name (docs/reference/screens.md#channels)', async ({
  page,
}) => {
  await fixture.show({ name: 'one' }, { name: 'two' }, { name: 'three' })
  await page.getByText('Select multiple').click()
  await page.getByRole('button', { name: 'Delete selected' }).click()
  await expectToast(page, 'Select the channels to delete first')
  await tick(page.getByRole('checkbox', { name: 'Select one' }))
  await tick(page.getByRole('checkbox', { name: 'Select two' }))
  await page.getByRole('button', { name: 'Set tag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set tag' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('The tag cannot be empty')).toBeVisible()
  await dialog.getByLabel('Tag').fill('west')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Channels tagged: 2')
  await tick(page.getByRole('checkbox', { name: 'Select all on this page' }))
  await tick(page.getByRole('checkbox', { name: 'Select three' }), false)
  await page.getByRole('button', { name: 'Delete selected' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('two, one')
  await confirm(page, 'Delete the selected channels (2)?', 'Delete')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await tick(page.getByRole('checkbox', { name: 'Select all on this page' }))
  await page.getByRole('button', { name: 'Delete selected' }).click()
  await confirm(page, 'Delete the selected channels (1)?', 'Delete')
  await expectToast(page, 'Channels deleted: 1')
  await expect(page.getByRole('heading', { name: 'No channels yet' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('enable-batch-delete'))).toBe('true')
})

test('test all, update all balances, fix and delete all disabled need a confirmation (docs/reference/screens.md#channels)', async ({
  page,
}) => {
  await fixture.show({ name: 'good' }, { name: 'bad' })
  await fixture.ask('PUT', '/api/option', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
  fixture.upstream.answers(({ path, headers }) => {
    if (path.includes('subscription')) return { body: { hard_limit_usd: 5, has_payment_method: true } }
    if (path.includes('usage')) return { body: { total_usage: 100 } }
    return headers.authorization?.endsWith('bad')
      ? { status: 401, body: { error: { message: 'key was revoked' } } }
      : { body: { choices: [] } }
  })
  await fixture.ask('PUT', '/api/channel', { id: 2, key: 'bad' })
  const action = async (name: string, question: string) => {
    await page.getByRole('button', { name: 'Actions for all channels' }).click()
    await page.getByRole('menuitem', { name }).click()
    await confirm(page, question, name)
  }
  await action('Test all channels', 'Test all channels?')
  await expectToast(page, 'Started testing all channels')
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(rowOf(page, 'bad')).toContainText('Disabled automatically', { timeout: 2000 })
  }).toPass()
  await rowOf(page, 'bad').getByText('Disabled automatically').hover()
  await expect(page.getByText(/Reason: .*key was revoked, time: \d{4}-/)).toBeVisible()
  await action('Update all balances', 'Update all balances?')
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByRole('button', { name: 'Balance of good: $4.00. Update' })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await action('Repair routing data', 'Repair routing data?')
  await expectToast(page, 'Channels checked: 2. No problems found.')
  await action('Delete disabled channels', 'Delete all disabled channels (1)?')
  await expect(rowOf(page, 'bad')).toHaveCount(0)
  await expect(rowOf(page, 'good')).toBeVisible()
})

test('search by keyword, group and model; type, status and ID sort; columns remembered (docs/reference/screens.md#channels)', async ({
  page,
}) => {
  await fixture.show({ name: 'alpha', priority: 9 }, { name: 'beta', group: 'vip', models: 'o3', type: 43 })
  const names = page.locator('.channel-name')
  await expect(names).toHaveText(['alpha', 'beta'])
  await page.getByText('Sort by ID').click()
  await expect(names).toHaveText(['beta', 'alpha'])
  expect(await page.evaluate(() => localStorage.getItem('id-sort'))).toBe('true')
  await page.getByRole('textbox', { name: 'ID, name, key or address' }).fill('alph')
  await expect(names).toHaveText(['alpha'])
  // The filter is part of the address, even while a form covers the list, and is restored from it.
  await expect(page).toHaveURL(/\/channel\?keyword=alph$/)
  await names.click()
  await expect(page).toHaveURL(/\/channel\/edit\/\d+\?keyword=alph$/)
  await page.goBack()
  await expect(names).toHaveText(['alpha'])
  await page.getByRole('textbox', { name: 'ID, name, key or address' }).fill('')
  await page.getByRole('textbox', { name: 'Model' }).fill('o3')
  await expect(names).toHaveText(['beta'])
  await page.getByLabel('Status').selectOption('Disabled')
  await expect(page.getByRole('heading', { name: 'No matching channels' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByLabel('Status')).toHaveValue('0')
  await expect(page.getByRole('textbox', { name: 'Model' })).toHaveValue('')
  await page.getByLabel('Type').selectOption('OpenAI (1)')
  await expect(names).toHaveText(['alpha'])
  await page.getByRole('button', { name: 'Column settings' }).click()
  await page.getByRole('dialog', { name: 'Column settings' }).getByText('Weight').click()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Priority' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Weight' })).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('channels-table-columns'))).toContain('"weight":false')
})

test('the clients of a channel: group, kinds of clients, first and last time (docs/reference/channels.md#client-usage)', async ({
  page,
}) => {
  await fixture.show({ name: 'main' })
  await choose(page, 'main', 'Clients')
  const dialog = page.getByRole('dialog', { name: 'Clients of main' })
  await expect(dialog).toContainText('No requests have been relayed through this channel yet.')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await fixture.ask('POST', '/api/token', { name: 'client', unlimited_quota: true })
  const { data } = await fixture.ask('GET', '/api/token?p=0&size=10')
  const [token] = data as { key: string }[] // as shared/api/token.ts promises
  const answer = await page.request.post(`${fixture.gateway.url}/v1/chat/completions`, {
    headers: { authorization: `Bearer sk-${token?.key}`, 'user-agent': 'curl/8.0' },
    data: { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] },
  })
  expect(answer.status()).toBe(200)
  await expect(async () => {
    await page.reload()
    await choose(page, 'main', 'Clients')
    await expect(dialog.getByRole('row', { name: 'default curl' })).toBeVisible({ timeout: 2000 })
  }).toPass()
})

test('/channel/add and /channel/edit/{id} open their drawer; closing it leads to the list (docs/reference/screens.md#routes)', async ({
  page,
}) => {
  await fixture.show({ name: 'main' })
  const { url } = fixture.gateway
  await page.goto(`${url}/channel/edit/1`)
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByLabel('Name', { exact: true })).toHaveValue('main')
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(`${url}/channel`)
  await page.goto(`${url}/channel/edit/999999`)
  await expectToast(page, 'Channel not found. Refresh and try again.')
  await expect(page).toHaveURL(`${url}/channel`)
  await page.goto(`${url}/channel/add`)
  await expect(drawer.getByLabel('Name', { exact: true })).toHaveValue('')
  await pressEscape(page)
  await expect(page).toHaveURL(`${url}/channel`)
  await expect(rowOf(page, 'main')).toBeVisible()
})

test('all channels of a tag are disabled and enabled (docs/reference/screens.md#channels)', async ({ page }) => {
  const troubles = troublesOf(page)
  await fixture.show({ name: 'one', tag: 'west' }, { name: 'two', tag: 'west' })
  await page.getByText('Group by tag').click()
  const west = rowOf(page, 'Tag: west')
  await expect(west).toContainText('2 of 2 enabled')
  await choose(page, 'Tag: west', 'Disable all')
  await expect(west).toContainText('0 of 2 enabled')
  await choose(page, 'Tag: west', 'Enable all')
  await expect(west).toContainText('2 of 2 enabled')
  expect(troubles).toEqual([])
})

test('a test shows its time in colour; single models are tested and judged (docs/reference/screens.md#channels)', async ({
  page,
}) => {
  await fixture.show({ name: 'main' })
  await expect(rowOf(page, 'main')).toContainText('Not tested')
  await page.getByRole('button', { name: 'Test main', exact: true }).click()
  await expectToast(page, /Channel main OK, \d+\.\d\d s/)
  await expect(rowOf(page, 'main').locator('[data-band=green]')).toHaveText(/\d m?s$/)
  expect(fixture.upstream.last().json.model).toBe('gpt-4o')

  fixture.upstream.answers(({ json }) =>
    json.model === 'gpt-4o'
      ? { status: 404, body: { error: { message: 'no such model' } } }
      : { body: { choices: [] } },
  )
  await page.getByRole('button', { name: 'Test individual models of main' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test models of main' })
  await dialog.getByRole('button', { name: 'Test all (2)' }).click()
  await expect(dialog.getByRole('listitem').first()).toContainText('status code 404: no such model')
  await expect(dialog.getByRole('listitem').last().locator('.bp6-intent-success')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Search models' }).fill('mini')
  await dialog.getByRole('button', { name: 'Test gpt-4o-mini' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
})
