import { expect, type Page, test } from '@playwright/test'
import { weightOf } from './figures.ts'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { signIn } from './visitor.ts'

let gateway: ServedConsole
test.beforeAll(async () => {
  gateway = await readyGateway()
})
test.afterAll(() => gateway.stop())

test('who asks for less motion gets none: nothing turns, blinks or slides (docs/reference/screens.md#shell)', async ({
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
  test(`${colorScheme}: the bar has a line below and no box, and the page one is on stands out in the menu`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme })
    await signIn(page, gateway.url)
    await expect(page.locator('.top-bar')).toHaveCSS('box-shadow', /^[^,]*\([^)]*\) 0px 1px 0px 0px$/)
    await page.locator('.side-menu [aria-current=page]').waitFor()
    expect(await markOfSelected(page)).toBeGreaterThan(3)
  })
}

/** The contrast between the mark at the selected place of the menu and the ground of the sidebar. */
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

test('a first view weighs less than 200 KB, and a signed-in one less than 300 KB (docs/reference/console-performance.md)', async ({
  page,
}) => {
  expect(await weightOf(page, () => page.goto(gateway.url))).toBeLessThan(200_000)
  await signIn(page, gateway.url)
  const fresh = await page.context().newPage()
  expect(await weightOf(fresh, () => fresh.goto(`${gateway.url}/token`))).toBeLessThan(300_000)
})

test('before the script is here the page says that it is coming, in the right theme', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.route('**/assets/*.js', () => {})
  await page.goto(gateway.url, { waitUntil: 'commit' })
  await expect(page.getByRole('status', { name: 'Switchyard' })).toBeVisible()
  await expect(page.locator('html')).toHaveClass(/bp6-dark/)
})
