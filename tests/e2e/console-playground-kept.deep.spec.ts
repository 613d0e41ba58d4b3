import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { chatStream } from '../support/chat.ts'
import { expectAccessible } from './accessible.ts'
import { ROOT } from './gateway.ts'
import { answered, answers, message, openPlayground, say } from './play-fixture.ts'
import type { ServedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async ({ page }) => {
  vendor = await openPlayground(page)
})
test.afterEach(() => vendor.stop())

const rows = (page: Page) => page.getByRole('dialog').getByRole('listitem')
const openList = async (page: Page) => {
  await page.getByRole('button', { name: 'Conversations' }).click()
  await expect(page.getByRole('heading', { name: 'Conversations' })).toBeVisible()
}
const databases = (page: Page) => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))

test('conversations and the draft are there after a reload; they are listed, renamed, exported, deleted and brought back', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  vendor.upstream.streams(chatStream(['Rome'], { prompt: 1000, completion: 200 }))
  await say(page, 'Capital of Italy?')
  await expect(answers(page)).toContainText('1,000 in, 200 out · $0.00')
  await page.getByRole('button', { name: 'New conversation' }).click()
  await say(page, 'Second question')
  await answered(page)
  await message(page).fill('not sent yet')
  await page.reload()
  await expect(page.getByText('Second question')).toBeVisible()
  await expect(message(page)).toHaveValue('not sent yet')
  await openList(page)
  await expect(rows(page)).toHaveCount(2)
  await expectAccessible(page)
  await rows(page)
    .getByRole('button', { name: /^Capital of Italy/ })
    .click()
  await expect(answers(page)).toContainText('1,000 in, 200 out · $0.00')
  await openList(page)
  await page.getByRole('button', { name: 'Actions for “Capital of Italy?”' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Conversation name').fill('Geography')
  await page.keyboard.press('Enter')
  await expect(rows(page).filter({ hasText: 'Geography' })).toBeFocused()
  await page.getByRole('button', { name: 'Actions for “Geography”' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as Markdown' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Geography.md')
  expect(await readFile(await download.path(), 'utf8')).toBe(
    '# Geography\n\n## You\n\nCapital of Italy?\n\n## gpt-4o-mini\n\nRome\n',
  )
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Actions for “Geography”' }).click()
  await page.getByRole('menuitem', { name: 'Export as JSON' }).click()
  const exported = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  const usage = { prompt_tokens: 1000, completion_tokens: 200, quota: 135 }
  const [, answer] = exported.conversations[0]
  expect(answer).toMatchObject({ role: 'assistant', content: 'Rome', model: 'gpt-4o-mini', usage })
  await page.getByRole('button', { name: 'Actions for “Geography”' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(troubles).toEqual([])
})

test('a draft is there again also where the page ended before the database had it', async ({ page }) => {
  await message(page).fill('not sent yet')
  await page.evaluate(() => {
    IDBDatabase.prototype.transaction = () => {
      throw new DOMException('The page is being closed', 'AbortError')
    }
  })
  await page.reload()
  await expect(message(page)).toHaveValue('not sent yet')
  await message(page).fill('')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  await expect(message(page)).toHaveValue('')
})

test('an answer that was left half-way is stored with its question, and its cost is looked up when it is seen again', async ({
  page,
}) => {
  vendor.upstream.streams(chatStream(['Half', ' an answer']).slice(0, 2), { hang: true })
  await say(page, 'Go on')
  await expect(answers(page)).toContainText('Half an answer')
  await page.getByRole('link', { name: 'API tokens' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'API tokens' })).toBeVisible()
  expect(await vendor.upstream.last().aborted).toBe(true)
  await expect
    .poll(() => vendor.inner.db.selectFrom('logs').select('id').where('type', '=', 2).execute())
    .toHaveLength(1)
  await page.getByRole('link', { name: 'Playground' }).first().click()
  await expect(answers(page)).toContainText('Half an answer')
  await expect(answers(page)).toContainText('Stopped')
  await expect(answers(page)).toContainText(/\d+ in, \d+ out · \$/)
})

test('two windows with one conversation show each other new messages, and neither overwrites the other (docs/reference/screens.md#playground)', async ({
  page,
}) => {
  await say(page, 'First question')
  await answered(page)
  const other = await page.context().newPage()
  await other.goto(`${vendor.url}/playground`)
  await expect(other.getByText('First question')).toBeVisible()
  await say(other, 'Asked in the other window')
  await answered(other)
  await expect(page.getByText('Asked in the other window')).toBeVisible()
  await expect(answers(page)).toHaveCount(2)

  // Both windows at the same time: the second receives the first's response only once it has ended.
  vendor.upstream.streams(chatStream(['Slow', ' answer']).slice(0, 2), { hang: true })
  await say(page, 'Asked slowly')
  await expect(answers(page).last()).toContainText('Slow answer')
  vendor.upstream.reset()
  await say(other, 'Asked meanwhile')
  await answered(other)
  await page.getByRole('button', { name: 'Stop' }).click()
  await answered(page)
  for (const window of [page, other]) {
    for (const text of [
      'First question',
      'Asked in the other window',
      'Asked slowly',
      'Slow answer',
      'Asked meanwhile',
    ])
      await expect(window.getByText(text).first()).toBeVisible()
  }
  await other.close()
  await page.reload()
  for (const text of ['First question', 'Asked in the other window', 'Asked slowly', 'Slow answer', 'Asked meanwhile'])
    await expect(page.getByText(text).first()).toBeVisible()
  await expect(answers(page)).toHaveCount(4)
})

test('conversations are deleted when the person logs out, unless they chose to retain them; no other account sees them', async ({
  page,
}) => {
  await vendor.person('ann')
  const logOut = async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await expect(page).toHaveURL(/\/login$/)
  }
  const comeBack = async () => {
    await page.evaluate(() => localStorage.removeItem('is-given'))
    await holdSession(page.context(), vendor.url)
    await page.goto(`${vendor.url}/playground`)
    await expect(message(page)).toBeVisible()
  }
  await say(page, 'A secret')
  await answered(page)
  await logOut()
  await expect.poll(() => databases(page)).toEqual([])
  await comeBack()
  await expect(page.getByText('Choose a model and ask a question')).toBeVisible()
  await say(page, 'To be kept')
  await answered(page)
  await openList(page)
  await page.getByText('Keep after logging out').click()
  await page.keyboard.press('Escape')
  await logOut()
  await page.locator('[name=username]').fill('ann')
  await page.locator('[name=password]').fill(ROOT.password)
  await page.locator('form button[type=submit]').click()
  await expect(page).toHaveURL(`${vendor.url}/detail`)
  await page.getByRole('link', { name: 'Playground' }).first().click()
  await expect(page.getByText('Choose a model and ask a question')).toBeVisible()
  await logOut()
  await comeBack()
  await expect(page.getByText('To be kept')).toBeVisible()
})

test('where the browser stores nothing, the page shows that and answers nevertheless', async ({ page }) => {
  await page.addInitScript(() => {
    indexedDB.open = () => {
      throw new DOMException('turned off', 'SecurityError')
    }
  })
  await page.reload()
  await say(page, 'Hello')
  await expect(answers(page)).toContainText('Hello there')
  await expect(page.getByText('Conversations cannot be saved in this browser')).toBeVisible()
  await openList(page)
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
})
