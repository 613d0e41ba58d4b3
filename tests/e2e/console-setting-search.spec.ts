import { expect, type Page } from '@playwright/test'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const searchIn = (page: Page) => page.getByRole('searchbox', { name: 'Search settings' })
const foundIn = (page: Page) => page.getByRole('list', { name: 'Settings found' })

test('a setting is found by its name in either language, its key and its explanation, and its field is led to', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await signIn(page, vendor.url, '/setting')
  const search = searchIn(page)
  for (const words of ['thinking_adapter_budget claude', '思考后缀适配 claude', 'gemini thresh']) {
    await search.fill(words)
    await expect(foundIn(page).getByRole('listitem').first()).toBeVisible()
  }
  await expect(page).toHaveURL(/q=gemini\+thresh/)
  await search.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/setting\?tab=models&key=gemini\.safety_settings$/)
  await expect(page.getByRole('textbox', { name: 'Safety' })).toBeFocused()
  await expect(page.locator('[data-option="gemini.safety_settings"]')).toHaveAttribute('data-found', '')
  await page.getByRole('textbox', { name: 'Versions' }).focus()
  await expect(page.locator('[data-found]')).toHaveCount(0)
  await search.fill('gemini thresh')
  await foundIn(page).getByRole('link').first().press('Escape')
  await expect(foundIn(page)).toHaveCount(0)
  await expect(search).toBeFocused()
  await search.fill('moonlight')
  await expect(page.getByText('No results')).toBeVisible()
  await search.press('Escape')
  await expect(page.getByRole('tab', { name: 'Models', exact: true })).toBeVisible()
  expect(troubles).toEqual([])
})

test('a setting is found by its name in the language of the page', async ({ page }) => {
  await signIn(page, vendor.url, '/setting')
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'fr'))
  await page.reload()
  await page.getByRole('searchbox').first().fill('accepter tout certificat')
  await expect(page.getByRole('listitem').filter({ hasText: 'Accepter tout certificat' }).first()).toBeVisible()
})
