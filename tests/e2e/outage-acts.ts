import type { Page } from '@playwright/test'
import { submitDrawer } from './screen-acts.ts'

/** The gateway is gone, and the list behind is to be loaded again. */
export async function cutOff(page: Page): Promise<void> {
  await page.route('**/api/**', (route) => route.abort())
  await page.locator('main button:has([data-icon=refresh])').first().click()
  await page.locator('.outage-banner').waitFor()
  await page.locator('.stale-note').waitFor()
}

/** The gateway is gone when a new channel is to be saved. */
export async function cutOffInDrawer(page: Page): Promise<void> {
  await fillIn(page)
  await page.route('**/api/**', (route) => route.abort())
  await submitDrawer(page)
  await page.locator('.outage-banner').waitFor()
}

/** The session is over when a new channel is to be saved. */
export async function endSession(page: Page): Promise<void> {
  await fillIn(page)
  await page.route(/\/api\/channel$/, (route) => route.fulfill({ status: 401, json: { success: false, message: '' } }))
  await submitDrawer(page)
  await page.locator('.bp6-dialog .login-form').waitFor()
}

/** The least that a channel needs. */
async function fillIn(page: Page): Promise<void> {
  await page.locator('[name=name]').fill('West account')
  await page.locator('[name=key]').fill('sk-west')
  await page.locator('[name=custom_models]').fill('gpt-4o')
}
