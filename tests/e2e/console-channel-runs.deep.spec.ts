import { expect, type Locator, type Page } from '@playwright/test'
import { chatAnswer } from '../support/chat.ts'
import type { Recorded, Script } from '../support/upstream.ts'
import { expectAccessible } from './accessible.ts'
import { aChannelFixture, type ChannelFixture, choose, confirm, expectToast, rowOf, unfold } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { goodVendor } from './tried-vendor.ts'
import { pressEscape, tick, troublesOf } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

/** Opens the dialog of deep tests for a channel's models. */
async function openFullTests(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Test individual models of ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Test models of ${name}` })
  await dialog.getByRole('radio', { name: 'Basic, streaming, tools' }).click()
  return dialog
}

/** The line of a model in the dialog of tests. */
const lineOf = (dialog: Locator, model: string) =>
  dialog.getByRole('listitem').filter({ has: dialog.page().getByText(model, { exact: true }) })

/** Starts an action on all channels, up to its confirmation. */
async function action(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for all channels' }).click()
  await page.getByRole('menuitem', { name }).click()
  await confirm(page, `${name}?`, name)
}

/** A vendor that responds only once the gate is opened, and counts the waiting requests. */
function gatedVendor(answer: (asked: Recorded) => Script) {
  const waiting: (() => void)[] = []
  let isOpen = false
  let max = 0
  return {
    answering: async (asked: Recorded): Promise<Script> => {
      if (!isOpen) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          max = Math.max(max, waiting.length)
        })
      }
      return answer(asked)
    },
    waiting: () => waiting.length,
    max: () => max,
    /** Releases the request that has waited longest. */
    release: () => waiting.shift()?.(),
    open: () => {
      isOpen = true
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

test('a model is examined with a plain call, a stream and a tool, each with its own verdict (docs/reference/channels.md#tests)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  fixture.upstream.answers(({ json }) => {
    if (json?.model === 'o3-of-the-vendor') return goodVendor({ path: '', json } as Recorded)
    if (json?.input) return { body: { data: [{ embedding: [0.1] }], usage: { prompt_tokens: 2 } } }
    return json?.stream ? { body: '{}' } : { body: chatAnswer('hi') }
  })
  const models = 'gpt-4o,o3,text-embedding-3-small,whisper-1'
  await fixture.show({ name: 'main', models, model_mapping: '{"o3":"o3-of-the-vendor"}' })
  const dialog = await openFullTests(page, 'main')

  await dialog.getByRole('button', { name: 'Test gpt-4o' }).click()
  const gpt = lineOf(dialog, 'gpt-4o')
  await expect(gpt.locator('[data-code=ok]')).toContainText(/Basic request Works/)
  await expect(gpt.locator('[data-code=unreadable]')).toContainText(
    'Streaming request The response did not come from an API',
  )
  await expect(gpt.locator('[data-code=no_tool_call]')).toContainText('Tool call The model did not call the tool')

  await tick(dialog.getByRole('checkbox', { name: 'Select o3' }))
  await tick(dialog.getByRole('checkbox', { name: 'Select text-embedding-3-small' }))
  await tick(dialog.getByRole('checkbox', { name: 'Select whisper-1' }))
  await dialog.getByRole('button', { name: 'Test 3 selected' }).click()
  await expect(lineOf(dialog, 'o3').locator('[data-code=ok]')).toHaveCount(3)
  await expect(lineOf(dialog, 'o3')).toContainText('Requested as o3-of-the-vendor')
  const embedding = lineOf(dialog, 'text-embedding-3-small')
  await expect(embedding).toContainText('Embeddings')
  await expect(embedding.locator('.verdict-line')).toHaveCount(1)
  await expect(lineOf(dialog, 'whisper-1')).toContainText('Not testable')
  await expect(dialog.getByText('3 of 3 tested · 2 passed · 1 not testable')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(rowOf(page, 'main').locator('[data-band=green]')).toBeVisible()
  expect(troubles).toEqual([])
})

test('a series of tests runs four models at once, shows its progress and can be stopped', async ({ page }) => {
  const gate = gatedVendor(() => ({ body: chatAnswer('hi') }))
  fixture.upstream.answers(gate.answering)
  const models = Array.from({ length: 9 }, (_, place) => `model-${place}`)
  await fixture.show({ name: 'main', models: models.join() })
  await page.getByRole('button', { name: 'Test individual models of main' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test models of main' })
  await dialog.getByRole('button', { name: 'Test all (9)' }).click()
  await expect.poll(gate.waiting).toBe(4)
  await expect(dialog.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '0')
  gate.release()
  await expect(dialog.getByText('1 of 9 tested · 1 passed')).toBeVisible()
  await expect.poll(gate.waiting).toBe(4)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await expect(dialog.getByRole('button', { name: 'Test all (9)' })).toBeVisible()
  await expect(dialog.getByText('1 of 9 tested · 1 passed')).toBeVisible()
  expect(gate.max()).toBe(4)
  gate.open()
  await dialog.getByRole('button', { name: 'Test all (9)' }).click()
  await expect(dialog.getByText('9 of 9 tested · 9 passed')).toBeVisible()
})

test('a run over all channels shows its progress, continues without the page, is one at a time, and can be cancelled', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  const gate = gatedVendor(({ headers }) =>
    headers.authorization === 'Bearer bad'
      ? { status: 401, body: { error: { message: 'key was revoked' } } }
      : { body: chatAnswer('hi') },
  )
  fixture.upstream.answers(gate.answering)
  await fixture.ask('PUT', '/api/option', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
  await fixture.ask('PUT', '/api/option', { key: 'ChannelDisableThreshold', value: '0' })
  await fixture.show(
    { name: 'first', key: 'bad' },
    ...['2nd', '3rd', '4th', '5th', '6th', '7th'].map((name) => ({ name })),
  )
  await action(page, 'Test all channels')
  const card = page.getByRole('region', { name: 'Channel test' })
  await expect(card).toContainText('0 of 7')
  await expect.poll(gate.waiting).toBe(4)
  for (let place = 0; place < 4; place += 1) gate.release()
  await expect(card).toContainText('4 of 7 · 3 succeeded · 1 failed · 1 disabled')
  await expect(card.getByRole('listitem')).toHaveText(/first.*key was revoked.*Disabled/)
  await expect(rowOf(page, 'first')).toContainText('Disabled automatically')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'API tokens' }).click()
  await page.getByRole('heading', { name: 'API tokens', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Channels' }).click()
  await expect(card.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '57')
  await page.getByRole('button', { name: 'Actions for all channels' }).click()
  const entry = page.getByRole('menuitem', { name: 'Test all channels' })
  await expect(entry).toContainText('running, 4 of 7')
  await expect(entry).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')

  await card.getByRole('button', { name: 'Cancel “Channel test”' }).click()
  await expect(card).toContainText('Canceling')
  gate.open()
  await expect(card).toContainText('Canceled')
  await expect(card.getByRole('progressbar')).toHaveCount(0)
  await card.getByRole('button', { name: 'Review 1' }).click()
  await card.getByRole('link', { name: 'first' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit first' })).toBeVisible()
  await pressEscape(page)
  await card.getByRole('button', { name: 'Dismiss “Channel test”' }).click()
  await expect(card).toHaveCount(0)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('link', { name: 'API tokens' }).click()
  await page.getByRole('link', { name: 'Channels' }).click()
  await expect(rowOf(page, 'first')).toBeVisible()
  await expect(card).toHaveCount(0)
  expect(troubles).toEqual([])
})

test('a test of all enables channels that work again; a second start is refused with a message (docs/reference/channels.md#test-of-all)', async ({
  page,
}) => {
  await fixture.ask('PUT', '/api/option', { key: 'AutomaticEnableChannelEnabled', value: 'true' })
  await fixture.show({ name: 'recovered' }, { name: 'hand' })
  await fixture.gateway.inner.db.updateTable('channels').set({ status: 3 }).where('name', '=', 'recovered').execute()
  await fixture.ask('PUT', '/api/channel', { id: 2, status: 2 })
  await fixture.ask('POST', '/api/channel/fix')
  const gate = gatedVendor(() => ({ body: chatAnswer('hi') }))
  fixture.upstream.answers(gate.answering)
  await page.reload()
  await page.getByRole('button', { name: 'Actions for all channels' }).click()
  await page.getByRole('menuitem', { name: 'Test all channels' }).click()
  // Another client starts first.
  expect(await fixture.ask('GET', '/api/channel/test')).toMatchObject({ success: true })
  await confirm(page, 'Test all channels?', 'Test all channels')
  await expectToast(page, 'A channel test is already running')
  gate.open()
  await page.reload()
  const card = page.getByRole('region', { name: 'Channel test' })
  await expect(card).toContainText('1 of 1 · 1 succeeded · 1 re-enabled')
  await card.getByRole('button', { name: 'Review 1' }).click()
  await expect(card.getByRole('listitem')).toHaveText(/recovered.*Responding again.*Re-enabled/)
  await expect(rowOf(page, 'recovered')).toContainText('Enabled')
  // The run's result has been seen, so it does not appear again.
  await page.reload()
  await expect(rowOf(page, 'recovered')).toBeVisible()
  await expect(card).toHaveCount(0)
})

test('balances of all: failures are reported, and the list shows the others (docs/reference/channels.md#balances)', async ({
  page,
}) => {
  fixture.upstream.answers(({ path, headers }) => {
    if (headers.authorization === 'Bearer bad') return { status: 403, body: {} }
    if (path.includes('subscription')) return { body: { hard_limit_usd: 5, has_payment_method: true } }
    return { body: { total_usage: 100 } }
  })
  await fixture.show({ name: 'good' }, { name: 'poor', key: 'bad' })
  await action(page, 'Update all balances')
  const card = page.getByRole('region', { name: 'Balance update' })
  await expect(card).toContainText('2 of 2 · 1 succeeded · 1 failed')
  await card.getByRole('button', { name: 'Review 1' }).click()
  await expect(card.getByRole('listitem')).toHaveText(/poor.*403/)
  await expect(page.getByRole('button', { name: 'Balance of good: $4.00. Update' })).toBeVisible()
})

test('a balance shows its failure in its cell, and the result at once; a vendor without balances is marked as such', async ({
  page,
}) => {
  await fixture.show({ name: 'main' }, { name: 'claude', type: 14 })
  await expect(rowOf(page, 'claude')).toContainText('Balance not reported')
  await page.getByRole('button', { name: 'Actions for claude' }).click()
  await expect(page.getByRole('menuitem', { name: 'Edit', exact: true })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Update balance' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  fixture.upstream.answers({ status: 500, body: {} })
  await choose(page, 'main', 'Update balance')
  await expect(rowOf(page, 'main').getByRole('status')).toContainText(/Not updated: .*500/)
  await expectAccessible(page)
  fixture.upstream.reset()
  fixture.upstream.answers({ body: { hard_limit_usd: 50, has_payment_method: true } }, { body: { total_usage: 1234 } })
  await page.getByRole('button', { name: 'Balance of main: not queried yet. Update' }).click()
  await expect(page.getByRole('button', { name: 'Balance of main: $37.66. Update' })).toBeVisible()
  await expect(rowOf(page, 'main')).not.toContainText('Not updated')
})

test('the proxy of a channel is verified in the editor, as it is typed (docs/reference/channel-types.md#common-rules)', async ({
  page,
}) => {
  await fixture.show({ name: 'main' })
  await choose(page, 'main', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit main' })
  await unfold(drawer)
  const field = drawer.getByRole('textbox', { name: 'Proxy' })
  const verify = drawer.getByRole('button', { name: 'Test proxy' })
  await expect(verify).toBeDisabled()
  await field.fill('http://127.0.0.1:1')
  await verify.click()
  const finding = drawer.locator('.proxy-verdict')
  await expect(finding).toContainText('The proxy could not be reached')
  // The vendor itself acts as the proxy: it receives an absolute URL, and responds.
  await field.fill(fixture.upstream.url)
  await expect(finding).toBeEmpty()
  await field.press('Tab')
  await expect(verify).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(finding).toContainText('The provider can be reached through this proxy')
  expect(fixture.upstream.last().path).toContain(fixture.upstream.url)
  await drawer.getByLabel('Base URL').fill('nonsense')
  await expect(finding).toBeEmpty()
  await verify.click()
  await expect(finding).toContainText('The proxy could not be tested')
  await expectAccessible(page)
})
