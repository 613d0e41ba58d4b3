import { expect, type Page } from '@playwright/test'
import {
  expectAccessible,
  expectAccessibleInBothThemes,
  expectAccessibleShape,
  OVERLAYS,
  overhangs,
  standsStill,
} from './accessible.ts'
import { type Consoles, consoles } from './furnished.ts'
import type { ServedConsole } from './gateway.ts'
import { expectReachable } from './reachable.ts'
import { open, type Screen, standsApart } from './screens/screen.ts'
import { screens } from './screens.ts'
import { onEmptyPage, test } from './shared-browser.ts'
import { copiedBy, holdSession, troublesOf } from './visitor.ts'

const fixture = { width: 1280, height: 800 }

let served: Consoles
let ready: ServedConsole
test.beforeAll(async () => {
  served = await consoles()
  ready = served.empty
})
test.afterAll(() => served.stop())

/**
 * Orders screens for one visitor; those of the busy console are separate by page, since there are many. Those that
 * require reloading the console come last.
 */
const inOrder = screens.toSorted((one, other) => Number(standsApart(one)) - Number(standsApart(other)))
const visits = Map.groupBy(inOrder, ({ page, at, isSignedIn }) => {
  if (at === 'fresh') return 'before the setup'
  if (!isSignedIn) return 'as a visitor'
  if (at === 'empty') return 'signed in, nothing there yet'
  if (at === 'namedBusy') return `${page} at a host name`
  return at === 'busy' ? `${page} in use` : `${page} that calls`
})

test.describe('light and dark, at every width', () => {
  test.use({ colorScheme: 'light', viewport: fixture })

  for (const [name, visit] of visits) {
    test(`${name}: axe finds nothing, nothing is wider than the window, and nothing is logged`, async ({ page }) => {
      test.setTimeout(60_000 + 30_000 * visit.length)
      const troubles = troublesOf(page)
      let before: Screen | undefined
      for (const screen of visit) {
        await test.step(`${screen.page}-${screen.state}`, async () => {
          await open(page, screen, served, before)
          const within = before?.page === screen.page ? await changedPart(page, screen) : undefined
          before = screen
          await expectAccessibleInBothThemes(page, within)
          expect(await overhangs(page)).toEqual([])
          if (screen.isWalked) await expectReachable(page)
          const unfolded = await unfoldedOn(page)
          for (const width of [1920, 768, 390]) {
            await page.setViewportSize({ ...fixture, width })
            await standsStill(page)
            // Wide tables scroll between the widths where they fit and where they become cards.
            await expect.poll(() => overhangs(page, width !== 768), `${width} wide`).toEqual([])
          }
          // Details belonging to a row move with it where rows become cards.
          if ((await unfoldedOn(page)) < unfolded) {
            await page.unrouteAll({ behavior: 'ignoreErrors' })
            await open(page, screen, served)
            expect(await overhangs(page)).toEqual([])
          }
          // Colours are the same at every width.
          await expectAccessibleShape(page, within)
          await page.setViewportSize(fixture)
          if (screen.isNoisy) troubles.length = 0
          expect(troubles).toEqual([])
          await page.unrouteAll({ behavior: 'ignoreErrors' })
        })
      }
    })
  }
})

test('an ordinary user’s pages in Chinese: axe finds nothing, nothing is wider than the window, and nothing is logged', async ({
  page,
  context,
}) => {
  const troubles = troublesOf(page)
  const { calling } = served
  const eve = await calling.person('eve')
  await calling.asks(eve, 'gpt-4o')
  await holdSession(context, calling.url, 'eve')
  await onEmptyPage(context, calling.url, (empty) => empty.evaluate(() => localStorage.setItem('i18nextLng', 'zh-CN')))
  const places = ['/detail', '/log', '/token', '/topup', '/midjourney', '/task', '/playground', '/personal', '/jobs']
  for (const place of places) {
    await page.setViewportSize(fixture)
    await page.goto(calling.url + place)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/[\u4e00-\u9fff]/)
    await page.waitForFunction(() => !document.querySelector('main .bp6-skeleton'))
    await expectAccessible(page)
    expect(await overhangs(page), place).toEqual([])
    await page.setViewportSize({ ...fixture, width: 390 })
    await standsStill(page)
    expect(await overhangs(page), place).toEqual([])
  }
  expect(troubles).toEqual([])
})

/**
 * The part of a page that differs from its previous screen: bar and menu around a page stay the same, and the page
 * below a dialog has been checked as a separate screen. Pages with frames are checked as a whole.
 */
async function changedPart(page: Page, { remembered }: Screen): Promise<string | undefined> {
  if (await hasDialog(page)) return OVERLAYS
  // settled: `open` has waited for the screen
  return remembered || (await page.locator('iframe').count()) > 0 ? undefined : `main, ${OVERLAYS}`
}

// settled: `open` has waited for the screen
const hasDialog = async (page: Page) =>
  (await page.locator(OVERLAYS).locator('[role=dialog], [role=alertdialog], [role=menu]').count()) > 0

/** The number of open dialogs, menus and expanded parts of the page. */
const unfoldedOn = (page: Page) =>
  // settled: all callers have waited for animations to end
  page.locator('.bp6-overlay-open, [role=dialog], [role=menu], main [aria-expanded=true]').count()

test('a text that is hard to read is found, even after readable ones', async ({ page }) => {
  const text = (style: string) => `<p style="${style}">Read me</p>`
  const expectReadable = async (...texts: string[]) => {
    await page.setContent(`<title>Texts</title><main style="background: white">${texts.join('')}</main>`)
    await expectAccessible(page, 'main')
  }
  const lifted = text('color: black; position: absolute; top: 0; margin: 0')
  await expectReadable(text('color: black'), lifted)
  await expect(expectReadable(text('color: black'), text('color: lightgray'))).rejects.toThrow('color-contrast')
  await expect(expectReadable(text('color: black; background: dimgray'))).rejects.toThrow('color-contrast')
  // A known style on an unknown background.
  const under = '<div style="background: #222; position: absolute; inset: 0"></div>'
  await expect(expectReadable(under, lifted)).rejects.toThrow('color-contrast')
  // Disabled or hidden text need not be readable until that changes.
  const pale = (state: string) =>
    `<button ${state} style="color: lightgray; background: white">Go</button><p ${state} style="color: silver">Read me</p>`
  for (const state of ['disabled inert', 'hidden']) await expectReadable(text('color: black'), pale(state))
  await expect(expectReadable(text('color: black'), pale(''))).rejects.toThrow('color-contrast')
})

test('a page that breaks leaves a report to copy', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: ready.url })
  await page.goto(ready.url)
  await page.route('**/assets/login-*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Get started' }).click()
  await expect(page.getByRole('heading', { name: 'Something went wrong on this page' })).toBeVisible()
  await expect(page.getByRole('main')).toHaveCount(1)
  expect(await copiedBy(page, page.getByRole('button', { name: 'Copy report' }))).toContain('/login')
})
