import { expect } from '@playwright/test'
import { chatStream } from '../support/chat.ts'
import { answers, message, openPlayground, say } from './play-fixture.ts'
import type { ServedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async ({ page }) => {
  vendor = await openPlayground(page)
})
test.afterEach(() => vendor.stop())

test('the request, and the answer with its tokens and its cost (docs/reference/screens.md#playground)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await expect(answers(page)).toContainText('Hello! Choose a model')
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('gpt-4o-mini')
  await page.getByLabel('Model', { exact: true }).fill('4o')
  await page.getByRole('option', { name: 'gpt-4o', exact: true }).click()
  await page.getByLabel('Max tokens').fill('100')
  await expect(page.getByLabel('System prompt')).toHaveValue(/^You are a helpful assistant/)
  await page.getByLabel('System prompt').fill('Be short.')
  vendor.upstream.streams(chatStream(['Hello', ' there'], { prompt: 1000, completion: 200 }))
  await say(page, 'Hi')
  await expect(answers(page)).toContainText('Hello there')
  await expect(answers(page)).toContainText('1,000 in, 200 out · $0.004500')
  await expect(answers(page)).toHaveAccessibleName('Response from gpt-4o')
  await expect(answers(page).locator('header')).toHaveText('gpt-4o')
  await expect(answers(page)).toContainText(/first token \d+ ms|first token \d+\.\d s/)
  await expect(answers(page)).toContainText(/\d tokens\/s/)
  expect(vendor.upstream.last().json).toEqual({
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hi' },
    ],
    stream: true,
    stream_options: { include_usage: true },
    model: 'gpt-4o',
    temperature: 0.1,
    max_tokens: 100,
  })
  await vendor.inner.ledger.flush()
  const [row] = await vendor.inner.db.selectFrom('logs').selectAll().where('type', '=', 2).execute()
  expect(row).toMatchObject({ token_name: 'playground-default', quota: 2250 })
  expect(troubles).toEqual([])
})

test('an answer is stopped half-way, and the upstream with it (docs/reference/screens.md#playground)', async ({
  page,
}) => {
  vendor.upstream.streams(chatStream(['A', ' long', ' answer']).slice(0, 3), { hang: true })
  await say(page, 'Go on')
  await expect(answers(page)).toContainText('A long answer')
  const spoken = page.locator('[role=status]', { hasText: 'gpt-4o-mini' })
  await expect(spoken).toHaveText('gpt-4o-mini is responding')
  await expect(page.getByRole('log')).toHaveAttribute('aria-live', 'off')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(spoken).toHaveText('The response from gpt-4o-mini was stopped')
  await expect(answers(page)).toContainText('Stopped')
  expect(await vendor.upstream.last().aborted).toBe(true)
  await expect(answers(page)).toContainText(/\d+ in, \d+ out · \$.*first token.*tokens\/s/)
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('Enter begins a new line, and the button sends', async ({ page }) => {
    await message(page).fill('one')
    await message(page).press('Enter')
    await message(page).pressSequentially('two')
    await expect(message(page)).toHaveValue('one\ntwo')
    await expect(message(page)).toHaveAttribute('placeholder', 'Type a message')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('article').filter({ hasText: 'two' })).toBeVisible()
  })
})
