import { expect } from '@playwright/test'
import { chatStream } from '../support/chat.ts'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { ROOT } from './gateway.ts'
import { answered, answers, choose, openPlayground, say } from './play-fixture.ts'
import type { ServedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { copiedBy, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async ({ page }) => {
  vendor = await openPlayground(page)
})
test.afterEach(() => vendor.stop())

test('several turns, edit, answer again, delete, clear context (docs/reference/screens.md#playground)', async ({
  page,
}) => {
  await say(page, 'One')
  await expect(answers(page)).toContainText('Hello there')
  await answered(page)
  await say(page, 'Two')
  await expect(answers(page)).toHaveCount(2)
  await answered(page)
  const sent = () =>
    vendor.upstream
      .last()
      .json.messages.slice(1)
      .map(({ content }: { content: string }) => content)
  expect(sent()).toEqual(['One', 'Hello there', 'Two'])
  await answers(page).last().getByRole('button', { name: 'Regenerate' }).click()
  await expect.poll(() => vendor.upstream.requests.length).toBe(3)
  expect(sent()).toEqual(['One', 'Hello there', 'Two'])
  await answered(page)
  await page.getByRole('article', { name: 'You' }).first().getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Edit message').fill('Three')
  await page.getByRole('article', { name: 'You' }).first().getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => vendor.upstream.requests.length).toBe(4)
  expect(sent()).toEqual(['Three'])
  await expect(answers(page)).toHaveCount(1)
  await answered(page)
  await choose(page, 'Clear context')
  await expect(page.getByText('Context cleared')).toBeVisible()
  await say(page, 'Four')
  await expect.poll(() => vendor.upstream.requests.length).toBe(5)
  expect(sent()).toEqual(['Four'])
  await expect(answers(page)).toHaveCount(2)
  await expect(answers(page).last().getByRole('button', { name: 'Delete' })).toBeEnabled()
  await answers(page).last().getByRole('button', { name: 'Delete' }).click()
  await expect(answers(page)).toHaveCount(1)
})

test('errors are shown in the reply, with a message and what to do (docs/reference/screens.md#playground)', async ({
  page,
}) => {
  const refused = { status: 400, body: { error: { message: 'temperature is not supported', type: 'invalid' } } }
  vendor.upstream.answers(refused)
  await say(page, 'Hi')
  await expect(page.getByRole('alert')).toContainText('temperature is not supported')
  await expect(page.getByRole('alert')).toContainText('Change the temperature')
  vendor.upstream.streams(chatStream(['Half']), { cutAfter: 1 })
  await answers(page).getByRole('button', { name: 'Regenerate' }).click()
  await expect(answers(page)).toContainText('Half')
  await expect(page.getByRole('alert')).toContainText('The upstream service')
  await page.route('**/pg/**', (route) => route.abort())
  await answers(page).getByRole('button', { name: 'Regenerate' }).click()
  await expect(page.getByRole('alert')).toContainText('Check that the gateway is running')
})

test('an answer is markdown, never HTML of the page; reasoning is folded; code is copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: vendor.url })
  const troubles = troublesOf(page)
  const outside: string[] = []
  page.on('request', (request) => request.url().startsWith(vendor.url) || outside.push(request.url()))
  const text = [
    '**bold** [link](https://example.com) [bad](javascript:alert(1)) ![picture](https://example.com/a.png)\n\n',
    '<img src=x onerror=alert(1)> <script>alert(1)</script>\n\n```js\nconst a = 1 < 2\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |\n',
  ]
  const thought = { choices: [{ index: 0, delta: { reasoning_content: 'Let me think.' } }] }
  vendor.upstream.streams([thought, ...chatStream(text)])
  await say(page, 'Show')
  const answer = answers(page)
  await expect(answer.locator('strong')).toHaveText('bold')
  await expect(answer.getByRole('link', { name: 'link' })).toHaveAttribute('rel', /noopener/)
  await expect(answer.locator('a[href^="javascript"], img, script')).toHaveCount(0)
  await expect(answer).toContainText('<script>alert(1)</script>')
  await expect(answer.getByText('Let me think.')).toBeHidden()
  await answer.getByText('Reasoning').click()
  await expect(answer.getByText('Let me think.')).toBeVisible()
  await expect(answer.getByRole('cell', { name: '2' })).toBeVisible()
  expect(await copiedBy(page, answer.getByRole('button', { name: 'Copy code' }))).toBe('const a = 1 < 2')
  expect(outside).toEqual([])
  expect(troubles).toEqual([])
})

test('a session that has ended is renewed over the conversation, which continues (docs/reference/screens.md#calls-and-failures)', async ({
  page,
}) => {
  await page.context().clearCookies()
  await say(page, 'Hi')
  const again = page.getByRole('dialog', { name: 'Log in again' })
  await again.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await again.getByRole('button', { name: 'Log in' }).click()
  await expect(answers(page)).toContainText('10 in, 5 out')
})

for (const width of [1280, 768, 640, 390]) {
  test.describe(`light and dark, ${width} wide`, () => {
    // 640 by 400 is a desktop window at 200 % zoom.
    test.use({ viewport: { width, height: width === 640 ? 400 : 844 } })
    test('axe finds nothing, nothing is wider than the window, and important parts are in sight', async ({ page }) => {
      const long = `\`\`\`\n${'wide '.repeat(100)}\n\`\`\`\n\n`
      vendor.upstream.streams(chatStream(['# Title\n\ntext `code` [link](https://example.com)\n\n', long]))
      await say(page, 'Hi')
      await expect(answers(page)).toContainText(/10 in, 5 out · \$0\.00.*first token.*tokens\/s/)
      await expect(answers(page).getByText('tokens/s')).toBeInViewport()
      await expect(answers(page).getByRole('link')).toHaveCSS('text-decoration-line', 'underline')
      const spill = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(spill).toBe(0)
      if (width === 1280 || width === 390) await expectAccessibleInBothThemes(page)
      if (width > 1000) return
      await page.getByRole('button', { name: 'gpt-4o-mini' }).click()
      await expect(page.getByLabel('System prompt')).toBeVisible()
      if (width === 390) await expectAccessibleInBothThemes(page)
    })
  })
}
