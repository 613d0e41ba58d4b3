import { expect, type Page } from '@playwright/test'
import { chatAnswer } from '../support/chat.ts'
import { dataOf } from '../support/client.ts'
import { expectToast } from './channel-fixture.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

/** Frequent tasks of an operator, each in few inputs from the first page: a click, or a field that is filled in. */
let fixture: ServedVendor
test.beforeEach(async () => {
  fixture = await servedVendor()
  dataOf(await fixture.root.put('/api/option', { key: 'ModelRatio', value: '{"gpt-4o":100}' }))
})
test.afterEach(() => fixture.stop())

const DAY = 86_400

/** Counts clicks and the fields that are filled in. */
async function countInputs(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const count = { inputs: 0 }
    const fields = new Set<EventTarget | null>()
    const onClick = ({ isTrusted }: Event) => {
      if (isTrusted) count.inputs += 1
    }
    const onInput = ({ target }: Event) => {
      if (!fields.has(target)) count.inputs += 1
      fields.add(target)
    }
    document.addEventListener('click', onClick, true)
    document.addEventListener('input', onInput, true)
    Object.assign(window, { count })
  })
  return () => page.evaluate(() => (window as unknown as { count: { inputs: number } }).count.inputs) // set above
}

test('the cost of yesterday and who caused it: one input', async ({ page }) => {
  const troubles = troublesOf(page)
  await fixture.channel()
  const alice = await fixture.person('alice')
  fixture.upstream.answers({ body: chatAnswer('hello', { prompt: 1000, completion: 0 }) })
  expect(await fixture.asks(alice, 'gpt-4o')).toBe(200)
  await fixture.inner.db
    .updateTable('usage_hours')
    .set((row) => ({ created_at: row('created_at', '-', DAY) }))
    .execute()
  await signIn(page, fixture.url, '/detail')
  const inputs = await countInputs(page)
  await page.getByRole('link', { name: 'vs $0.20 at this time yesterday' }).click()
  const users = page.getByRole('list', { name: 'Users', exact: true })
  await expect(users).toContainText(/alice\s*\$0\.20/)
  expect(await inputs()).toBe(1)
  expect(troubles).toEqual([])
})

test('a user gets quota in two inputs, and again none in one', async ({ page }) => {
  const troubles = troublesOf(page)
  await fixture.person('alice')
  await signIn(page, fixture.url, '/user')
  const inputs = await countInputs(page)
  await page.getByRole('row', { name: 'alice' }).hover()
  await page.getByRole('button', { name: 'Add quota for alice' }).click()
  await page.getByRole('menuitem', { name: '+ $10', exact: true }).click()
  await expectToast(page, 'The balance of alice is now $12.00')
  expect(await inputs()).toBe(2)
  await page.locator('.bp6-toast').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row', { name: 'alice' })).toContainText('$2.00')
  await page.getByRole('button', { name: 'Add quota for alice' }).click()
  await page.getByRole('menuitem', { name: 'Other amount…' }).click()
  await expect(page.getByRole('dialog', { name: 'Add quota for alice' })).toBeVisible()
  expect(troubles).toEqual([])
})

test('a failing channel is found on the first page and gets a new key in three inputs', async ({ page }) => {
  const troubles = troublesOf(page)
  await fixture.channel({ name: 'Main account' })
  const alice = await fixture.person('alice')
  fixture.upstream.answers(({ headers }) =>
    headers.authorization === 'Bearer a-new-key'
      ? { body: chatAnswer('hello') }
      : { status: 401, body: { error: { message: 'The key has expired', code: 'invalid_api_key' } } },
  )
  await fixture.asks(alice, 'gpt-4o')
  await signIn(page, fixture.url, '/detail')
  const inputs = await countInputs(page)
  await page.getByRole('region', { name: 'Channels' }).getByRole('link', { name: 'Main account' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Key', { exact: true }).fill('a-new-key')
  await drawer.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(drawer).toHaveCount(0)
  expect(await inputs()).toBe(3)
  await expect.poll(() => fixture.asks(alice, 'gpt-4o')).toBe(200)
  expect(troubles).toEqual([])
})
