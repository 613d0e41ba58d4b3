import { expect } from '@playwright/test'
import { chatAnswer } from '../support/chat.ts'
import { callRelay, chatBody } from '../support/relay-client.ts'
import { expectAccessible } from './accessible.ts'
import { aChannelFixture, type ChannelFixture, choose, confirm, expectToast, rowOf } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { tick, troublesOf } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

/** Makes an external request to a model with a new token of the administrator; returns the status. */
async function relay(model: string): Promise<number> {
  await fixture.ask('POST', '/api/token', { name: 'client', unlimited_quota: true })
  const { data } = await fixture.ask('GET', '/api/token?p=0&size=10')
  const [token] = data as { key: string }[] // as shared/api/token.ts promises
  const { status } = await callRelay(`${fixture.gateway.url}/v1/chat/completions`, chatBody(model, 'hi', {}), {
    key: token?.key ?? '',
  })
  await fixture.gateway.inner.ledger.flush()
  return status
}

const tooMany = { status: 429, headers: { 'retry-after': '600' }, body: { error: { message: 'slow down' } } }
const revoked = { status: 401, body: { error: { message: 'key was revoked', code: 'invalid_api_key' } } }
const fine = { body: chatAnswer('ok') }

test('a limited channel shows that with a countdown and the reason, and is used again once its cooldown is ended', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await fixture.show({ name: 'main' })
  fixture.upstream.answers(tooMany)
  expect(await relay('gpt-4o')).toBe(429)
  await page.getByRole('button', { name: 'Refresh' }).click()
  const row = rowOf(page, 'main')
  const tag = row.getByRole('button', { name: /1 model cooling/ })
  await expect(tag).toContainText(/(0[89]|10):\d\d/)
  await expect(row).toContainText('Enabled')
  await tag.focus()
  await page.keyboard.press('Enter')
  const told = page.getByRole('dialog', { name: 'main is cooling down' })
  await expect(tag).toHaveAttribute('aria-expanded', 'true')
  await expect(tag).toHaveJSProperty('tagName', 'BUTTON')
  await expect(told).toContainText('gpt-4o')
  await expect(told).toContainText(/Rate limited (0[89]|10):\d\d/)
  await expect(told).toContainText('The provider set this waiting time. No requests are sent until it ends.')
  await expect(told).toContainText('HTTP 429 · slow down')
  await expect(told).toContainText(/Consecutive failures: 1 · last \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)
  await expectAccessible(page)

  fixture.upstream.reset()
  fixture.upstream.answers(fine)
  await told.getByRole('button', { name: 'End cooldown' }).click()
  await expectToast(page, 'Cooldown of main ended')
  await expect(tag).toHaveCount(0)
  expect(await relay('gpt-4o')).toBe(200)
  expect(troubles).toEqual([])
})

test('the menu of a row ends its cooldown; a tag counts those of its channels that cool down', async ({ page }) => {
  await fixture.show({ name: 'main', tag: 'west' }, { name: 'spare', tag: 'west', models: 'o3' })
  fixture.upstream.answers(tooMany)
  expect(await relay('gpt-4o')).toBe(429)
  await page.getByText('Group by tag').click()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(rowOf(page, 'Tag: west')).toContainText('1 cooling')
  await page.getByText('Group by tag').click()
  await choose(page, 'main', 'End cooldown')
  await expectToast(page, 'Cooldown of main ended')
  await page.getByRole('button', { name: 'Actions for main' }).click()
  await expect(page.getByRole('menuitem', { name: 'Keys…' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'End cooldown' })).toHaveCount(0)
})

test('several keys make one channel; each can be switched, removed and joined by others, and shows its state', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await fixture.show()
  await page.getByRole('button', { name: 'Add channel' }).click()
  const drawer = page.getByRole('dialog', { name: 'Add channel' })
  await drawer.getByLabel('Name', { exact: true }).fill('pool')
  await drawer.getByText('Multiple keys').click()
  await drawer.getByLabel('Key', { exact: true }).fill('sk-the-first-of-the-keys-aaaa\nsk-the-second-of-the-keys-bbbb')
  await expect(drawer.getByText('Channels to be created: 2')).toBeVisible()
  await tick(drawer.getByRole('radio', { name: /One channel with all keys/ }))
  await expect(drawer.getByText('Keys in the channel: 2')).toBeVisible()
  await drawer.getByLabel('Base URL').fill(fixture.upstream.url)
  await drawer.getByLabel('Custom model names').fill('gpt-4o')
  await drawer.getByLabel('Custom model names').press('Enter')
  await expectAccessible(page)
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, 'Channel pool added')
  await expect(rowOf(page, 'pool')).toHaveCount(1)

  await choose(page, 'pool', 'Keys…')
  const dialog = page.getByRole('dialog', { name: 'Keys of pool' })
  await expect(dialog).toContainText('2 keys, 2 available.')
  const items = dialog.getByRole('list', { name: 'Keys' }).locator('> li')
  await expect(items).toContainText([/#1 …aaaa/, /#2 …bbbb/])
  await dialog.getByRole('button', { name: 'More keys…' }).click()
  await dialog.getByLabel('Add keys').fill('sk-the-second-of-the-keys-bbbb\nsk-the-third-of-the-keys-cccc\n')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add keys' }).click()
  await expectToast(page, 'Keys added: 1')
  await tick(dialog.getByRole('checkbox', { name: 'Enable key #1 …aaaa' }), false)
  await expect(dialog).toContainText('3 keys, 2 available.')
  await expect(items.first()).toContainText('Disabled')
  await dialog.getByRole('button', { name: 'Remove key #2 …bbbb' }).click()
  await confirm(page, 'Remove key #2 …bbbb of “pool”?', 'Remove')
  await expect(items).toContainText([/#1 …aaaa/, /#2 …cccc/])
  fixture.upstream.answers(fine)
  expect(await relay('gpt-4o')).toBe(200)
  expect(fixture.upstream.last().headers.authorization).toBe('Bearer sk-the-third-of-the-keys-cccc')
  await tick(dialog.getByRole('checkbox', { name: 'Enable key #1 …aaaa' }))
  await dialog.getByRole('button', { name: 'Remove key #2 …cccc' }).click()
  await confirm(page, 'Remove key #2 …cccc of “pool”?', 'Remove')
  await expect(dialog).toContainText('This channel has one key.')
  await expect(dialog.getByRole('button', { name: 'Remove key #1 …aaaa' })).toBeDisabled()
  expect(troubles).toEqual([])
})

test('only a revoked or limited key cools down, and the form explains what happens to stored keys', async ({
  page,
}) => {
  await fixture.show({ name: 'pool', key: 'sk-bad\nsk-good', key_mode: 'pool', models: 'gpt-4o' })
  await fixture.ask('PUT', '/api/option', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
  fixture.upstream.answers(({ headers }) => (headers.authorization?.endsWith('bad') ? revoked : fine))
  await expect(async () => {
    expect(await relay('gpt-4o')).toBe(200)
    const seen = fixture.upstream.requests.some(({ headers }) => headers.authorization?.endsWith('bad'))
    expect(seen).toBe(true)
  }).toPass()
  await choose(page, 'pool', 'Keys…')
  const dialog = page.getByRole('dialog', { name: 'Keys of pool' })
  await expect(dialog).toContainText('2 keys, 1 available.')
  const bad = dialog.getByRole('list', { name: 'Keys' }).locator('> li').first()
  await expect(bad).toContainText('Disabled automatically')
  await expect(bad).toContainText(/key was revoked · \d{4}-/)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(rowOf(page, 'pool')).toContainText('Enabled')

  await choose(page, 'pool', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit pool' })
  await expect(drawer).toContainText('This channel has 2 keys. Leave empty to keep them')
  await drawer.getByRole('button', { name: 'Keys…' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await drawer.getByLabel('Key', { exact: true }).fill('sk-x\nsk-y\nsk-z')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, 'Update succeeded')
  await choose(page, 'pool', 'Keys…')
  await expect(dialog).toContainText('3 keys, 3 available.')

  await page.goto(`${fixture.gateway.url}/log`)
  await page.locator('tbody tr').filter({ hasText: '1->1' }).first().locator('[aria-expanded]').click()
  await expect(page.getByText(/#1.*key 1: HTTP 401/)).toBeVisible()
  await expect(page.getByText(/#1.*key 2: succeeded/)).toBeVisible()
})

test('where only a price is missing the page shows that, and the channels that would be used', async ({ page }) => {
  await fixture.show({ name: 'main', models: 'unheard-of' })
  await page.goto(`${fixture.gateway.url}/explain-routing?model=unheard-of`)
  await expect(page.getByRole('status')).toContainText('No price is set for unheard-of')
  await expect(page.getByRole('table', { name: 'Candidate channels' })).toContainText('main')
  await expect(page.getByRole('heading', { name: 'No channel in this group offers this model' })).toHaveCount(0)
  await expectAccessible(page)
})

test('the page is reached from a channel, and from the attempts of a log entry with its question filled in', async ({
  page,
}) => {
  await fixture.show({ name: 'main', priority: 10 }, { name: 'spare' })
  await fixture.ask('PUT', '/api/option', { key: 'RetryTimes', value: '1' })
  fixture.upstream.answers(tooMany, fine, fine)
  expect(await relay('gpt-4o')).toBe(200)
  expect(await relay('gpt-4o')).toBe(200)
  await choose(page, 'main', 'Routing explorer')
  await page.getByRole('heading', { level: 1, name: 'Routing explorer' }).waitFor()
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('gpt-4o')
  const table = page.getByRole('table', { name: 'Candidate channels' })
  await expect(table.getByRole('row').filter({ hasText: 'main' })).toContainText(
    /Rate limited (0[89]:\d\d|10:00).*HTTP 429 · slow down/,
  )
  await expect(page.getByRole('status')).toContainText('would use “spare”. It would not be retried on another channel.')

  await page.goto(`${fixture.gateway.url}/log`)
  const rows = page.locator('tbody tr').filter({ hasText: 'gpt-4o' })
  await rows.nth(1).locator('[aria-expanded]').click()
  await expect(page.getByText(/#1 main: HTTP 429/)).toBeVisible()
  await expect(page.getByText(/#2 spare: succeeded/)).toBeVisible()
  await rows.nth(1).locator('[aria-expanded]').click()
  await rows.first().locator('[aria-expanded]').click()
  await expect(page.getByText(/#1 main: HTTP 429 · rate limited by the provider for another \d+ s/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Routing explorer' }).click()
  await expect(page.getByLabel('Model')).toHaveValue('gpt-4o')
  await expect(page.getByLabel('Token', { exact: true }).locator('option:checked')).toHaveText('client')
  await expect(page.getByRole('status')).toContainText('would use “spare”')
})
