import { expect, type Page } from '@playwright/test'
import { standsStill } from './accessible.ts'
import { weightOf } from './figures.ts'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let gateway: ServedConsole
test.beforeAll(async () => {
  gateway = await readyGateway()
})
test.afterAll(() => gateway.stop())

test('a user who prefers less motion gets none: nothing turns, blinks or slides (docs/reference/screens.md#shell)', async ({
  page,
}) => {
  await page.route('**/api/token?**', () => {})
  await signIn(page, gateway.url)
  await page.locator('.bp6-skeleton').first().waitFor()
  const endless = () =>
    page.evaluate(
      () =>
        document
          .getAnimations()
          .filter(
            ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime === Infinity,
          ).length,
    )
  expect(await endless()).toBe(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(endless).toBeGreaterThan(0)
})

test('controls are written in the page’s font, but for code', async ({ page }) => {
  await signIn(page, gateway.url, '/log')
  const fonts = await page.evaluate(() =>
    Array.from(
      document.querySelectorAll('button, input, select, textarea'),
      (control) => getComputedStyle(control).fontFamily,
    ),
  )
  expect(fonts.length).toBeGreaterThan(5)
  const own = await page.evaluate(() => getComputedStyle(document.body).fontFamily)
  expect(new Set(fonts)).toEqual(new Set([own]))
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`${colorScheme}: the bar has a line below and no box, and the current page is marked in the menu`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme })
    await signIn(page, gateway.url)
    await expect(page.locator('.top-bar')).toHaveCSS('box-shadow', /^[^,]*\([^)]*\) 0px 1px 0px 0px$/)
    await page.locator('.side-menu [aria-current=page]').waitFor()
    expect(await markOfSelected(page)).toBeGreaterThan(3)
  })
}

/** The contrast between the mark of the selected menu entry and the sidebar's background. */
const markOfSelected = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const lightness = (color: string) => {
      if (!canvas) return 0
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = Array.from(canvas.getImageData(0, 0, 1, 1).data, (value) => {
        const part = value / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const selected = document.querySelector('.side-menu [aria-current=page]')
    const mark = selected ? getComputedStyle(selected).boxShadow.replace(/ 3px.*/, '') : 'none'
    const [one, other] = [lightness(mark), lightness(getComputedStyle(document.body).backgroundColor)]
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
  })

test('the name that was chosen is the name that is shown', async ({ page }) => {
  await signIn(page, gateway.url)
  await expect(page.getByRole('banner')).toContainText('root')
  await expect(page.getByRole('banner')).not.toContainText('Root User')
})

test('the first view of / weighs at most 260 KB gzipped; signed in, that and the dashboard at most 360 KB (docs/reference/console-performance.md)', async ({
  page,
}) => {
  expect(await weightOf(page, () => page.goto(gateway.url))).toBeLessThanOrEqual(260_000)
  await signIn(page, gateway.url)
  const fresh = await page.context().newPage()
  expect(await weightOf(fresh, () => fresh.goto(gateway.url))).toBeLessThanOrEqual(360_000)
  const first = await page.context().newPage()
  expect(await weightOf(first, () => first.goto(`${gateway.url}/detail`))).toBeLessThanOrEqual(360_000)
})

test('before the script is here the page shows that it is loading, in the right theme', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.route('**/assets/*.js', () => {})
  await page.goto(gateway.url, { waitUntil: 'commit' })
  await expect(page.getByRole('status', { name: 'Switchyard' })).toBeVisible()
  await expect(page.locator('html')).toHaveClass(/bp6-dark/)
})

test('below 1024 pixels the sidebar shows icons with tooltips, and a wide window remembers its own state', async ({
  page,
}) => {
  await signIn(page, gateway.url)
  const width = () => page.locator('.sidebar').evaluate((box) => box.getBoundingClientRect().width)
  await expect.poll(width).toBe(200)
  await page.setViewportSize({ width: 1000, height: 700 })
  await expect.poll(width).toBe(60)
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Usage logs' }).hover()
  await expect(page.locator('.bp6-tooltip')).toHaveText('Usage logs')
  await page.getByRole('button', { name: 'Expand sidebar' }).click()
  await expect.poll(width).toBe(200)
  expect(await page.evaluate(() => localStorage.getItem('default_collapse_sidebar'))).toBeNull()
  await page.setViewportSize({ width: 1280, height: 700 })
  // The width does not change, so it cannot show when the page has adapted.
  await standsStill(page)
  await expect.poll(width).toBe(200)
  await page.setViewportSize({ width: 1000, height: 700 })
  await expect.poll(width).toBe(60)
})

test('a link of the narrow sidebar keeps the focus while a resting pointer gets its tooltip', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 700 })
  await signIn(page, gateway.url)
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.getByRole('link', { name: 'Usage logs' }).focus()
  await menu.getByRole('link', { name: 'Dashboard' }).hover()
  await expect(page.locator('.bp6-tooltip')).toHaveText('Dashboard')
  await expect(menu.getByRole('link', { name: 'Usage logs' })).toBeFocused()
})

test('content that scrolls sideways shows that, and at a zoom of 200 % lists are cards that hide nothing', async ({
  page,
}) => {
  const vendor = await servedVendor()
  await vendor.channel({ name: 'Second account of the research department' })
  await vendor.asks(vendor.root, 'gpt-4o')
  await page.setViewportSize({ width: 768, height: 700 })
  await signIn(page, vendor.url, '/log')
  const list = page.getByRole('group', { name: 'Usage logs' })
  await expect(list).toBeVisible()
  await expect(page.locator('.sideways')).toHaveAttribute('data-after', 'true')
  await list.focus()
  await page.keyboard.press('End')
  await list.evaluate((box) => box.scrollTo(box.scrollWidth, 0))
  await expect(page.locator('.sideways')).toHaveAttribute('data-after', 'false')
  await expect(page.locator('.sideways')).toHaveAttribute('data-before', 'true')
  await page.setViewportSize({ width: 640, height: 400 })
  await page.goto(`${vendor.url}/channel`)
  await expect(page.locator('.page-table-cards')).toContainText('Second account of the research department')
  await expect(page.getByRole('table')).toHaveCount(0)
  await vendor.stop()
})

test('on a phone buttons and links are at least 40 pixels high', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${gateway.url}/login`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await smallTargets(page)).toEqual([])
  await signIn(page, gateway.url)
  await page.getByRole('button', { name: 'Add token' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  expect(await smallTargets(page)).toEqual([])
})

/** Controls that are too low for touch. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('.bp6-button, .bp6-input, .bp6-menu-item, select'))
      .map((box) => ({ name: box.outerHTML.slice(0, 120), height: box.getBoundingClientRect().height }))
      .filter(({ height }) => height > 0 && height < 40),
  )
