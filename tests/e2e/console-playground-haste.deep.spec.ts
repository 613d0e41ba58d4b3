import { expect, type Page, type Route } from '@playwright/test'
import { answered, answers, message, openPlayground, say } from './play-fixture.ts'
import type { ServedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'

/** A user who is faster than the page's requests loses nothing (docs/reference/screens.md#playground). */

let vendor: ServedVendor
test.beforeEach(async ({ page }) => {
  vendor = await openPlayground(page)
})
test.afterEach(() => vendor.stop())

/** Holds back the page's request to this address; returns a function that lets it continue, or fail. */
async function holdBack(page: Page, path: string): Promise<(end?: 'continue' | 'abort') => void> {
  const { promise, resolve } = Promise.withResolvers<'continue' | 'abort'>()
  await page.route(path, async (route: Route) => route[await promise]())
  return (end = 'continue') => resolve(end)
}

const sendButton = (page: Page) => page.locator('.play-composer button[type=submit]')

/** Expects that no message is being sent: a later request of the page has already been handled. */
async function expectNothingSent(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/api/status'))
  expect(vendor.upstream.requests).toHaveLength(0)
}

const paper = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') }

test('a message sent before the models are there goes out when they are, unless it is written again', async ({
  page,
}) => {
  const release = await holdBack(page, '**/api/user/models')
  await page.reload()
  await say(page, 'Too early')
  await expect(sendButton(page)).toHaveClass(/bp6-loading/)
  await message(page).fill('Written again')
  await expect(sendButton(page)).not.toHaveClass(/bp6-loading/)
  await message(page).press('Enter')
  await expect(sendButton(page)).toHaveClass(/bp6-loading/)
  await expectNothingSent(page)
  release()
  await answered(page)
  await expect(message(page)).toHaveValue('')
  expect(vendor.upstream.requests.map(({ json }) => json.messages.at(-1).content)).toEqual(['Written again'])
})

test('a message sent while its files are being read takes them along', async ({ page }) => {
  const release = await holdBack(page, '**/read-files*')
  await page.locator('.play-composer input[type=file]').setInputFiles([paper])
  await say(page, 'What do they say?')
  await expect(sendButton(page)).toHaveClass(/bp6-loading/)
  await expectNothingSent(page)
  release()
  await expect(answers(page)).toContainText('$')
  expect(vendor.upstream.last().json.messages.at(-1).content).toEqual([
    { type: 'text', text: 'What do they say?' },
    { type: 'text', text: expect.stringContaining('# Notes') },
  ])
})

test('a message is not sent without a file that could not be read', async ({ page }) => {
  const release = await holdBack(page, '**/read-files*')
  await page.locator('.play-composer input[type=file]').setInputFiles([paper])
  await say(page, 'What do they say?')
  release('abort')
  await expect(page.getByRole('alert')).toContainText('notes.md')
  await expect(message(page)).toHaveValue('What do they say?')
  await expectNothingSent(page)
})

test('a selection made before the newest conversation has been opened stays', async ({ page }) => {
  await say(page, 'Kept before')
  await answered(page)
  await page.addInitScript(() => {
    const released = new Promise((resolve) => window.addEventListener('offline', resolve))
    const open = IDBFactory.prototype.open
    IDBFactory.prototype.open = function (...name) {
      const request = open.apply(this, name)
      Object.defineProperty(request, 'onsuccess', {
        set: (then: () => void) => request.addEventListener('success', () => void released.then(then)),
      })
      return request
    }
  })
  await page.reload()
  await page.getByRole('button', { name: 'Compare models' }).click()
  await expect(page.getByLabel('Second model')).toHaveValue('claude-3')
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await page.getByRole('button', { name: 'Conversations' }).click()
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('log')).toHaveCount(2)
})
