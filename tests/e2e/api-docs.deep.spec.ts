import { expect, type Page } from '@playwright/test'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let gateway: ServedConsole
test.beforeAll(async () => {
  gateway = await readyGateway()
})
test.afterAll(() => gateway.stop())

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
