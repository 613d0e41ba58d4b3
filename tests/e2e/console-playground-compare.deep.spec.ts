import { expect, type Page } from '@playwright/test'
import { chatStream } from '../support/chat.ts'
import { expectAccessibleShape } from './accessible.ts'
import { answered, answers, openPlayground, say } from './play-fixture.ts'
import type { ServedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async ({ page }) => {
  vendor = await openPlayground(page)
})
test.afterEach(() => vendor.stop())

const lane = (page: Page, model: string) => page.getByRole('log', { name: `Conversation with ${model}`, exact: true })
const models = () => vendor.upstream.requests.map(({ json }) => json.model).sort()
/** Makes each model respond with its own name. */
const answerByName = () =>
  vendor.upstream.answers(({ json }) => ({
    events: chatStream([`I am ${json.model}`], { prompt: 1000, completion: json.model === 'gpt-4o' ? 200 : 100 }),
  }))

test('two models get the same conversation, each with its own figures; both are stopped; the second becomes a separate conversation', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await say(page, 'Before')
  await answered(page)
  await page.getByRole('button', { name: 'Compare models' }).click()
  await page.getByLabel('Second model').fill('4o')
  await page.getByRole('option', { name: 'gpt-4o', exact: true }).click()
  vendor.upstream.reset()
  answerByName()
  await say(page, 'Who are you?')
  await expect(lane(page, 'gpt-4o-mini')).toContainText('I am gpt-4o-mini')
  await expect(lane(page, 'gpt-4o')).toContainText('I am gpt-4o')
  await expect(lane(page, 'gpt-4o-mini')).toContainText('1,000 in, 100 out · $0.000210')
  await expect(lane(page, 'gpt-4o')).toContainText('1,000 in, 200 out · $0.004500')
  await expect.poll(models).toEqual(['gpt-4o', 'gpt-4o-mini'])
  const [one, other] = vendor.upstream.requests
  expect(one?.json.messages).toEqual(other?.json.messages)
  await expectAccessibleShape(page)
  await lane(page, 'gpt-4o').getByRole('button', { name: 'Regenerate' }).last().click()
  await expect.poll(models).toEqual(['gpt-4o', 'gpt-4o', 'gpt-4o-mini'])
  await answered(page)
  vendor.upstream.reset()
  vendor.upstream.streams(chatStream(['Long']).slice(0, 1), { hang: true })
  await lane(page, 'gpt-4o').getByRole('button', { name: 'Edit' }).last().click()
  await page.getByLabel('Edit message').fill('And now?')
  await page.getByLabel('Edit message').locator('..').getByRole('button', { name: 'Send' }).click()
  await expect(answers(page).filter({ hasText: 'Long' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(answers(page).filter({ hasText: 'Stopped' })).toHaveCount(2)
  expect(await Promise.all(vendor.upstream.requests.map(({ aborted }) => aborted))).toEqual([true, true])
  await page.getByRole('button', { name: 'End comparison' }).click()
  await expect(page.getByRole('log')).toHaveCount(1)
  await page.getByRole('button', { name: 'Conversations' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Before · gpt-4o/ })
    .click()
  await expect(answers(page).last()).toHaveAccessibleName('Response from gpt-4o')
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('gpt-4o')
  expect(troubles).toEqual([])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('the two are in tabs, and each answer shows its model', async ({ page }) => {
    await page.getByRole('button', { name: 'Compare models' }).click()
    await expect(page.getByRole('dialog').getByLabel('Second model')).toHaveValue('claude-3')
    await page.getByLabel('Second model').fill('4o')
    await page.getByRole('option', { name: 'gpt-4o', exact: true }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    answerByName()
    await say(page, 'Who are you?')
    await expect(lane(page, 'gpt-4o-mini')).toContainText('$0.000210')
    await expect(page.getByRole('log')).toHaveCount(1)
    await page.getByRole('tab', { name: 'gpt-4o', exact: true }).click()
    await expect(lane(page, 'gpt-4o')).toContainText('$0.004500')
    await expectAccessibleShape(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  })
})
