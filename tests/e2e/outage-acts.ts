import type { Page } from '@playwright/test'
import { submitDrawer } from './screen-acts.ts'

/** Disconnects the gateway, then reloads the list. */
export async function cutOff(page: Page): Promise<void> {
  await page.route('**/api/**', (route) => route.abort())
  await page.locator('main button:has([data-icon=refresh])').first().click()
  await page.locator('.outage-banner').waitFor()
  await page.locator('.stale-note').waitFor()
}

/** Disconnects the gateway, then saves a new channel. */
export async function cutOffInDrawer(page: Page): Promise<void> {
  await fillIn(page)
  await page.route('**/api/**', (route) => route.abort())
  await submitDrawer(page)
  await page.locator('.outage-banner').waitFor()
}

/** Ends the session, then saves a new channel. */
export async function endSession(page: Page): Promise<void> {
  await fillIn(page)
  await page.route(/\/api\/channel$/, (route) => route.fulfill({ status: 401, json: { success: false, message: '' } }))
  await submitDrawer(page)
  await page.locator('.bp6-dialog .login-form').waitFor()
}

/** Fills in the required fields of a channel. */
async function fillIn(page: Page): Promise<void> {
  await page.locator('[name=name]').fill('West account')
  await page.locator('[name=key]').fill('sk-west')
  await page.locator('[name=custom_models]').fill('gpt-4o')
}
