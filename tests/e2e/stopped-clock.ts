import { expect, type Page } from '@playwright/test'

/**
 * Opens a page and stops its clock once it is there, which a test then moves on itself, however long anything takes. An
 * answer is shown with the next tick (`tickUntil`): the console renders it in a timer of 0 ms. Axe needs a clock that goes on.
 */
export async function openStopped(page: Page, open: () => Promise<unknown>, time?: Date): Promise<void> {
  await page.clock.install({ time: time ?? Date.now() })
  await open()
  await expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 2000))).toPass()
}

/** Stops the clock again where it goes on. The time it stops at must not be past when it does. */
export const stopAgain = (page: Page): Promise<void> =>
  expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 2000))).toPass()

/** Waits for what no more than an answer is needed for: the clock goes on by some hundredths of a second. */
export const tickUntil = (page: Page, expectation: () => Promise<unknown>): Promise<void> =>
  expect(async () => {
    await page.clock.runFor(10)
    await expectation()
  }).toPass()

/** What is expected within a tick waits no longer than this for the page to render. */
export const SOON = { timeout: 1000 } as const
