import { expect, type Page } from '@playwright/test'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let gateway: ServedConsole
test.beforeAll(async () => {
  gateway = await readyGateway()
})
test.afterAll(() => gateway.stop())

test('the API’s documents are read signed out, at every width, and nothing else is fetched', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 })
  const troubles = troublesOf(page)
  const strangers = strangersOf(page)
  await page.goto(`${gateway.url}/api/docs`)
  await call(page, '/v1/chat/completions').click()
  await expect(page.getByRole('heading', { name: 'Request body' })).toBeVisible()
  // The viewer renders operations only when they are scrolled into view: the filter by tag leads to one far below.
  await page.getByPlaceholder('Filter by tag').fill('Status')
  await call(page, '/api/status').click()
  await page.getByRole('button', { name: 'Try it out' }).last().click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await expect(page.locator('.live-responses-table')).toContainText('"system_name": "Switchyard"')
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  expect([troubles, strangers]).toEqual([[], []])
})

test('they follow the theme: of the system, or the one chosen in the console', async ({ page }) => {
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark-mode'))
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${gateway.url}/api/docs`)
  await expect.poll(isDark).toBe(true)
  await page.evaluate(() => localStorage.setItem('theme-mode', 'light'))
  await page.reload()
  await expect(call(page, '/v1/chat/completions')).toBeVisible()
  expect(await isDark()).toBe(false)
})

test('"Connect a client" leads there', async ({ page }) => {
  await signIn(page, gateway.url, '/connect/client')
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'API reference' }).click()
  await expect(call(await opened, '/v1/chat/completions')).toBeVisible()
})

/** The line of an operation, by its path. */
const call = (page: Page, path: string) =>
  page.locator('.opblock-summary', { has: page.locator(`[data-path="${path}"]`) }).first()

/** Requests of a page to hosts other than the gateway. */
function strangersOf(page: Page): string[] {
  const strangers: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== gateway.url) strangers.push(request.url())
  })
  return strangers
}
