import { expect } from '@playwright/test'
import { type Consoles, consoles } from './furnished.ts'
import type { ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'

let served: Consoles
let ready: ServedConsole
test.beforeAll(async () => {
  served = await consoles()
  ready = served.empty
})
test.afterAll(() => served.stop())

test('the right theme is there before the first paint, and a choice is remembered', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(ready.url)
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveClass(/bp6-dark/)
  expect(await page.evaluate(() => localStorage.getItem('theme-mode'))).toBe('dark')
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload()
  await expect(page.locator('html')).toHaveClass(/bp6-dark/)
})

test('languages: the browser chooses first, the person at any time', async ({ browser }) => {
  const page = await browser.newPage({ locale: 'zh-CN' })
  await page.goto(`${ready.url}/login`)
  await expect(page.getByRole('heading', { name: '登录 Switchyard' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await page.getByLabel('用户名或邮箱').fill('nobody')
  await page.getByLabel('密码', { exact: true }).fill('nothing-known')
  await page.getByRole('main').getByRole('button', { name: '登录' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(/[\u4e00-\u9fff]/)
  await page.getByRole('button', { name: '语言' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Log in to Switchyard' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Log in to Switchyard' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('en')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: '繁體中文' }).click()
  await expect(page.getByRole('heading', { name: '登入 Switchyard' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW')
  await page.close()
})

test('an unknown address shows that; the title and the storage carry the system name', async ({ page }) => {
  await page.goto(`${ready.url}/no/such/page`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page).toHaveTitle('Page not found · Switchyard')
  await expect(page.getByText('The link may be wrong or the page was moved.')).toBeVisible()
  const kept = await page.evaluate(() => ({ ...localStorage }))
  expect(kept).toMatchObject({
    system_name: 'Switchyard',
    logo: '',
    footer_html: '',
    chats: expect.stringMatching(/^\[\{/),
    enable_drawing: 'true',
    enable_task: 'true',
    enable_data_export: 'true',
    mj_notify_enabled: 'false',
    quota_per_unit: '500000',
    display_in_currency: 'true',
  })
  expect(JSON.parse(kept.status ?? '')).toMatchObject({ system_name: 'Switchyard', setup: true })
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page).toHaveURL(`${ready.url}/`)
})
