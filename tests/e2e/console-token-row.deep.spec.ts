import { expect, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { callRelay, chatBody } from '../support/relay-client.ts'
import { expectAccessible } from './accessible.ts'
import { choose } from './channel-fixture.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, textOf, troublesOf } from './visitor.ts'

let fixture: ServedVendor
test.beforeEach(async () => {
  fixture = await servedVendor()
  await fixture.channel({ models: 'gpt-4o' })
})
test.afterEach(() => fixture.stop())
const cellOf = async (page: Page, name: string, column: string) => {
  // The columns appear with the rows.
  await page.getByRole('row', { name }).waitFor()
  let place = -1
  await expect(async () => {
    const titles = await page.getByRole('columnheader').allInnerTexts()
    place = titles.findIndex((title) => title.trim() === column)
    expect(place).toBeGreaterThan(-1)
  }).toPass()
  return page.getByRole('row', { name }).getByRole('cell').nth(place)
}

test('a row shows group, models, last use, and how much of its quota is used', async ({ page }) => {
  const troubles = troublesOf(page)
  const limited = { model_limits_enabled: true, model_limits: 'gpt-4o,gpt-4o-mini,o3' }
  const token = dataOf(
    await fixture.root.post('/api/token', { name: 'website', remain_quota: 400, group: 'vip', ...limited }),
  )
  expect(await fixture.asks(fixture.root, 'gpt-4o')).toBe(200)
  await fixture.inner.db.updateTable('tokens').set({ used_quota: 3600 }).where('id', '=', token.id).execute()
  await signIn(page, fixture.url)
  await expect(await cellOf(page, 'website', 'Group')).toHaveText('vip')
  await expect(await cellOf(page, 'website', 'Models')).toContainText('gpt-4o')
  await expect(await cellOf(page, 'website', 'Last used')).toHaveText('Never used')
  const bar = page.getByRole('row', { name: 'website' }).getByRole('progressbar')
  await expect(bar).toHaveAccessibleName('$0.01 of $0.01 used (90%)')
  await page.getByRole('button', { name: '2 more models' }).click()
  await expect(page.getByRole('dialog', { name: 'Models of website' })).toContainText('o3')
  await page.keyboard.press('Escape')
  await expect(await cellOf(page, 'laptop', 'Group')).toHaveText('Account')
  await expect(await cellOf(page, 'laptop', 'Models')).toHaveText('All models')
  await expect(page.getByRole('row', { name: 'laptop' }).getByRole('progressbar')).toHaveCount(0)
  await expect((await cellOf(page, 'laptop', 'Last used')).first()).toContainText(/\d\d:\d\d/)
  await expectAccessible(page)
  expect(troubles).toEqual([])
})

test('the end of a token is picked as a date and time, or one of the usual spans', async ({ page }) => {
  await page.clock.setFixedTime('2030-05-01T12:00:00')
  await signIn(page, fixture.url)
  await page.getByRole('button', { name: 'Add token' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Add token' })
  const expires = drawer.getByLabel('Expires')
  await expect(expires).toHaveAttribute('type', 'datetime-local')
  await expect(drawer.getByText('Never expires')).toBeVisible()
  for (const [span, end] of [
    ['1 hour', '2030-05-01T13:00'],
    ['1 day', '2030-05-02T12:00'],
    ['1 month', '2030-05-31T12:00'],
  ] as const) {
    await drawer.getByRole('button', { name: span }).click()
    await expect(expires).toHaveValue(new RegExp(`^${end}`))
  }
  await drawer.getByRole('button', { name: 'No expiry', exact: true }).click()
  await expect(expires).toHaveValue('')
  await drawer.getByLabel('Name').fill('short')
  await expires.fill('2031-02-03T04:05:06')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(page.getByText('Token short created')).toBeVisible()
  const { expired_time: end } = await fixture.inner.db
    .selectFrom('tokens')
    .select('expired_time')
    .where('name', '=', 'short')
    .executeTakeFirstOrThrow()
  expect(await page.evaluate((at) => new Date(at * 1000).toString().slice(4, 24), end)).toBe('Feb 03 2031 04:05:06')
})

const asks = async (key: string) =>
  (await callRelay(`${fixture.url}/v1/chat/completions`, chatBody('gpt-4o', 'hi', {}), { key })).status
const keyIn = /sk-(\w{48})/

test('a new key is requested, shown, and the only one from then on', async ({ page }) => {
  const { key } = dataOf(await fixture.root.post('/api/token', { name: 'laptop', unlimited_quota: true }))
  expect(await asks(key)).toBe(200)
  await signIn(page, fixture.url)
  await choose(page, 'laptop', 'New key…')
  const question = page.getByRole('alertdialog', { name: 'Replace the key of “laptop”?' })
  await expect(question).toContainText('refused immediately')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await asks(key)).toBe(200)
  await choose(page, 'laptop', 'New key…')
  await question.getByRole('button', { name: 'Replace key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New key of laptop' })
  const [, shown = ''] = keyIn.exec(await textOf(dialog, keyIn)) ?? []
  await expectAccessible(page)
  // A rotated phone shows cards instead of a table, and keeps the dialog.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(dialog).toContainText(shown)
  expect(shown).not.toBe(key)
  expect([await asks(key), await asks(shown)]).toEqual([401, 200])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('table')).toHaveCount(0)
  await page.setViewportSize({ width: 1280, height: 844 })
  await expect(page.getByRole('row', { name: 'laptop' })).toContainText(`sk-${shown.slice(0, 4)}…`)
})
