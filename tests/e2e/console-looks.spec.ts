import { expect, test } from '@playwright/test'
import { freshGateway, readyGateway, type ServedConsole } from './gateway.ts'
import { expectAccessible, signIn, troublesOf } from './visitor.ts'

let fresh: ServedConsole
let ready: ServedConsole
test.beforeAll(async () => {
  fresh = await freshGateway()
  ready = await readyGateway()
})
test.afterAll(() => Promise.all([fresh.stop(), ready.stop()]))

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    test.describe(`${colorScheme}, ${viewport.width} wide`, () => {
      test.use({ colorScheme, viewport })

      test('axe finds nothing on any page, and no page logs anything', async ({ page }) => {
        const troubles = troublesOf(page)
        await page.goto(`${fresh.url}/setup`)
        await page.getByRole('button', { name: 'Initialise' }).click()
        await expectAccessible(page)
        await page.getByRole('button', { name: 'What do they mean?' }).click()
        await expectAccessible(page)
        for (const path of ['/', '/login?expired=true', '/nowhere']) {
          await page.goto(ready.url + path)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await expectAccessible(page)
        }
        await signIn(page, ready.url)
        await page.getByRole('button', { name: 'Add token' }).click()
        await expectAccessible(page)
        await page.getByRole('dialog').getByLabel('Name').fill('laptop')
        await page.getByRole('button', { name: 'Submit' }).click()
        await page.getByRole('button', { name: 'Actions on laptop' }).first().click()
        await expectAccessible(page)
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await expectAccessible(page)
        expect(troubles).toEqual([])
      })

      test('no page is wider than the window', async ({ page }) => {
        for (const url of [`${fresh.url}/setup`, ready.url, `${ready.url}/login`, `${ready.url}/nowhere`]) {
          await page.goto(url)
          await page.getByRole('heading', { level: 1 }).waitFor()
          const widths = await page.evaluate(() =>
            [document.documentElement, document.querySelector('main')].map(
              (box) => box && box.scrollWidth - box.clientWidth,
            ),
          )
          expect(widths).toEqual([0, 0])
        }
      })
    })
  }
}

test('the right theme is there before the first paint, and a choice is kept', async ({ page }) => {
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

test('both languages: the browser chooses first, the person at any time', async ({ browser }) => {
  const page = await browser.newPage({ locale: 'zh-CN' })
  await page.goto(`${ready.url}/login`)
  await expect(page.getByRole('heading', { name: '登录 Switchyard' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await page.getByLabel('用户名或邮箱').fill('nobody')
  await page.getByLabel('密码', { exact: true }).fill('nothing-known')
  await page.getByRole('main').getByRole('button', { name: '登录' }).click()
  await expect(page.locator('.bp6-toast')).toContainText(/[\u4e00-\u9fff]/)
  await page.getByRole('button', { name: '语言' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Log in to Switchyard' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Log in to Switchyard' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('i18nextLng'))).toBe('en')
  await page.close()
})

test('an unknown address says so; the title and the storage carry the system name', async ({ page }) => {
  await page.goto(`${ready.url}/no/such/page`)
  await expect(page.getByRole('heading', { name: 'Page does not exist' })).toBeVisible()
  await expect(page).toHaveTitle('Page not found · Switchyard')
  expect(await page.evaluate(() => localStorage.getItem('system_name'))).toBe('Switchyard')
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page).toHaveURL(`${ready.url}/`)
})

test('a page that breaks leaves a report to copy', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: ready.url })
  await page.goto(ready.url)
  await page.route('**/assets/login-*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Get started' }).click()
  await expect(page.getByRole('heading', { name: 'Something went wrong on this page' })).toBeVisible()
  await page.getByRole('button', { name: 'Copy report' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/login')
})
