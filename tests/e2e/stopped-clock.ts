import { expect, type Page } from '@playwright/test'

/**
 * Opens a page and stops its clock once it is loaded; the test then advances it itself, independent of real time. A
 * response is shown with the next tick (`tickUntil`): the console renders it in a timer of 0 ms. Axe needs a running
 * clock.
 */
export async function openStopped(page: Page, open: () => Promise<unknown>, time?: Date): Promise<void> {
  await page.clock.install({ time: time ?? Date.now() })
  await open()
  await expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 2000))).toPass()
}

/** Stops a running clock again. The time to stop at must not have passed yet. */
export const stopAgain = (page: Page): Promise<void> =>
  expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 2000))).toPass()

/** Waits for something that needs only a response: the clock advances by some hundredths of a second. */
export const tickUntil = (page: Page, expectation: () => Promise<unknown>): Promise<void> =>
  expect(async () => {
    await page.clock.runFor(10)
    await expectation()
  }).toPass()

/** Timeout for what appears within a tick: only rendering remains. */
export const SOON = { timeout: 1000 } as const
