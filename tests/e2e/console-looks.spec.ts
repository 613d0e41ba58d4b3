import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBothThemes, expectAccessibleShape } from './accessible.ts'
import { type Consoles, consoles } from './furnished.ts'
import type { ServedConsole } from './gateway.ts'
import { isStaged, open, type Screen, screens } from './screens.ts'
import { copiedBy, troublesOf } from './visitor.ts'

let served: Consoles
let ready: ServedConsole
test.beforeAll(async () => {
  served = await consoles()
  ready = served.empty
})
test.afterAll(() => served.stop())

/**
 * Screens that one visitor can go through in a row; those of the console in use are apart by page, for they are many. Those
 * that show the console as it stands come first, for it need not be loaded for each.
 */
const inOrder = screens.toSorted((one, other) => Number(isStaged(one)) - Number(isStaged(other)))
const visits = Map.groupBy(inOrder, ({ page, at, isSignedIn }) => {
  if (at === 'fresh') return 'before the setup'
  if (!isSignedIn) return 'as a visitor'
  if (at === 'empty') return 'signed in, nothing there yet'
  return at === 'busy' ? `${page} in use` : `${page} that calls`
})

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test.describe(`${viewport.width} wide, light and dark`, () => {
    test.use({ colorScheme: 'light', viewport })

    for (const [name, visit] of visits) {
      test(`${name}: axe finds nothing, nothing is wider than the window, and nothing is logged`, async ({ page }) => {
        test.setTimeout(60_000 + 30_000 * visit.length)
        const troubles = troublesOf(page)
        let before: Screen | undefined
        for (const screen of visit) {
          await test.step(`${screen.page}-${screen.state}`, async () => {
            await open(page, screen, served, before)
            before = screen
            // Colours are the same at every width.
            await (viewport.width > 600 ? expectAccessibleInBothThemes(page) : expectAccessibleShape(page))
            expect(await overhangs(page)).toEqual([])
            if (screen.isNoisy) troubles.length = 0
            expect(troubles).toEqual([])
            await page.unrouteAll({ behavior: 'ignoreErrors' })
          })
        }
      })
    }
  })
}

/** By how many pixels the page, its content and its list are wider than there is room. */
const overhangs = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, document.querySelector('main'), document.querySelector('.page-table-card')]
      .map((box) => (box ? box.scrollWidth - box.clientWidth : 0))
      .filter((pixels) => pixels > 0),
  )

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
  await expect(page.getByRole('main').getByRole('alert')).toContainText(/[\u4e00-\u9fff]/)
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
  expect(await copiedBy(page, page.getByRole('button', { name: 'Copy report' }))).toContain('/login')
})
