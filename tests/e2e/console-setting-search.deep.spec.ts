import { expect, type Page } from '@playwright/test'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const searchIn = (page: Page) => page.getByRole('searchbox', { name: 'Search settings' })
const foundIn = (page: Page) => page.getByRole('list', { name: 'Settings found' })

test('addresses lead to the search and to a field; Enter opens the first result', async ({ page }) => {
  await signIn(page, vendor.url, '/setting?tab=system&q=smtp')
  await expect(searchIn(page)).toHaveValue('smtp')
  await expect(foundIn(page)).toContainText('SMTP server')
  await searchIn(page).press('Enter')
  await expect(page.getByLabel('SMTP server')).toBeFocused()
  await page.goto(`${vendor.url}/setting?tab=operation&key=RetryTimes`)
  await expect(page.getByLabel('Retries on failure', { exact: true })).toBeFocused()
})

test('text typed in a panel stays there during a search', async ({ page }) => {
  await signIn(page, vendor.url, '/setting')
  await page.getByLabel('Retries on failure', { exact: true }).fill('7')
  await searchIn(page).fill('pass requests')
  await expect(page.getByLabel('Retries on failure', { exact: true })).toBeHidden()
  await searchIn(page).press('Escape')
  await expect(page.getByLabel('Retries on failure', { exact: true })).toHaveValue('7')
  await searchIn(page).fill('pass requests')
  await searchIn(page).press('Enter')
  await page
    .getByRole('alertdialog', { name: 'Discard changes in “System settings”?' })
    .getByRole('button', { name: 'Discard changes' })
    .click()
  await expect(page.getByLabel('Pass requests through')).toBeFocused()
})

test('the command palette finds settings, and leads to their fields from any page', async ({ page }) => {
  await signIn(page, vendor.url, '/token')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('textbox', { name: 'Open the command palette' })
  await expect(page.getByRole('menuitem', { name: /Retries on failure/ })).toHaveCount(0)
  await palette.fill('失败重试')
  await expect(page.getByRole('menuitem', { name: /Retries on failure/ })).toBeVisible()
  await palette.press('Enter')
  await expect(page).toHaveURL(/\/setting\?tab=operation&key=RetryTimes$/)
  await expect(page.getByLabel('Retries on failure', { exact: true })).toBeFocused()
})

test('the index next to the sections marks the one at the top, and those that cannot reach it at the end', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 900 })
  await signIn(page, vendor.url, '/setting?tab=operation')
  const entries = page.getByRole('navigation', { name: 'On this tab' }).getByRole('button')
  const marked = page.getByRole('navigation', { name: 'On this tab' }).locator('[aria-current]')
  await expect(entries.first()).toHaveAttribute('aria-current')
  await expect(marked).toHaveCount(1)
  await page.getByRole('tablist', { name: 'Areas of the settings' }).getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('Tab')
  await expect(entries.first()).toBeFocused()
  for (const place of [-1, -2, 3]) {
    const entry = entries.nth(place)
    await entry.click()
    await expect(entry).toHaveAttribute('aria-current')
    await expect(marked).toHaveCount(1)
  }
  await page.mouse.move(900, 500)
  await page.mouse.wheel(0, 100_000)
  await expect(entries.last()).toHaveAttribute('aria-current')
  await expect(marked).toHaveCount(1)
})
