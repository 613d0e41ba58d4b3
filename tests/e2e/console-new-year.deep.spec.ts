import { expect, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes, standsStill } from './accessible.ts'
import { type Box, expectBoxes } from './boxes.ts'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { openStopped } from './stopped-clock.ts'
import { signIn } from './visitor.ts'

let gateway: ServedConsole
test.beforeAll(async () => {
  gateway = await readyGateway()
})
test.afterAll(() => gateway.stop())

const button = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Happy New Year' })
const greeting = (page: Page) => page.getByText('Happy New Year 2027!')
const drawn = (page: Page) =>
  page.locator('.new-year canvas').evaluate((canvas: HTMLCanvasElement) => {
    const brush = canvas.getContext('2d')
    return brush?.getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0) ?? false
  })
/** Marks a page to distinguish it from a reloaded one. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute('data-before', 'yes'))
const isAnew = (page: Page) => page.evaluate(() => document.documentElement.dataset.before === undefined)

test('on New Year’s Day fireworks are three seconds away, and ten seconds after them the page is loaded again (docs/reference/screens.md#new-year)', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.setFixedTime(new Date('2026-12-31T12:00:00'))
  await page.goto(gateway.url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect(button(page)).toHaveCount(0)
  const onTheDay = async () => {
    await page.goto(gateway.url)
    await button(page).waitFor()
    await expectAccessibleInBothThemes(page)
  }
  await openStopped(page, onTheDay, new Date('2027-01-01T12:00:00'))
  await mark(page)
  await button(page).click()
  await expect(greeting(page)).toBeVisible()
  await page.clock.runFor(500)
  expect(await drawn(page)).toBe(true)
  await page.clock.runFor(2600)
  await expect(greeting(page)).toHaveCount(0)
  await page.clock.runFor(7000)
  expect(await isAnew(page)).toBe(false)
  const loaded = page.waitForEvent('load')
  await page.clock.runFor(4000)
  await loaded
  expect(await isAnew(page)).toBe(true)
})

test('a user who prefers less motion is greeted without, and unsaved changes are not reloaded away', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const withChange = async () => {
    await signIn(page, gateway.url, '/setting?tab=operation')
    await page.locator('[data-option=RetryTimes] input').fill('3')
    await button(page).waitFor()
  }
  await openStopped(page, withChange, new Date('2027-01-01T12:00:00'))
  await mark(page)
  await button(page).click()
  await expect(greeting(page)).toBeVisible()
  await page.clock.runFor(500)
  expect(await drawn(page)).toBe(false)
  await page.clock.runFor(20_000)
  expect(await isAnew(page)).toBe(false)
  await expect(page.locator('[data-option=RetryTimes] input')).toHaveValue('3')
})

test('a visitor’s home shows the offer, once the login is available, and moves nothing', async ({ page }) => {
  const { promise: isLookedAt, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/landing-more-*.js', async (route) => {
    await isLookedAt
    await route.continue()
  })
  await page.goto(gateway.url)
  const start = page.getByRole('link', { name: 'Get started' })
  await start.waitFor()
  await page.evaluate(() => document.fonts.ready)
  await standsStill(page)
  let before: Box | undefined
  await expectBoxes([start], (box) => {
    before = box
  })
  const more = page.getByRole('heading', { name: 'Every client' })
  await expect(more).toHaveCount(0)
  release()
  await expect(more).toBeVisible()
  await expectBoxes([start], (box) => expect(box).toEqual(before))
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText('Powered by Switchyard')
  await expectAccessibleInBothThemes(page)
})
