import type { Page } from '@playwright/test'
import { unfold } from './channel-fixture.ts'
import { chooseInRow, startMain, submitDrawer } from './screen-acts.ts'

/** Changes the last channel's host while keeping its stored key, and leaves the proxy's saved password masked. */
export async function moveChannel(page: Page): Promise<void> {
  await chooseInRow('edit')(page)
  await unfold(page)
  await page.locator('[name=base_url]').fill('https://elsewhere.example')
  await page.locator('[name=proxy]').fill('socks5://user:••••@proxy.internal:1080')
  await submitDrawer(page)
}

/** Makes the request for known models fail. */
export const modelsFail = (page: Page) =>
  page.route(/\/api\/channel\/models$/, (route) => route.fulfill({ json: { success: false, message: 'out of order' } }))

/** Opens a new channel and scrolls to its models. */
export async function seeModelsMissing(page: Page): Promise<void> {
  await startMain(page)
  await page.locator('.models-field-missing').scrollIntoViewIfNeeded()
}
