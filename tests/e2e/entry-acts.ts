import type { Page } from '@playwright/test'
import { tells } from './stub-routing.ts'

/** Changes these fields of the gateway's status. */
export const statusSays = (changes: object) => (page: Page) =>
  page.route(/\/api\/status$/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, ...changes } } })
  })

/** Refuses a call with this message. */
export const refusesWith = (path: RegExp, message: string) => (page: Page) =>
  page.route(path, (route) => route.fulfill({ json: { success: false, message } }))

/** Requires a second factor from every account, and refuses every code. */
export async function asksForCode(page: Page): Promise<void> {
  await tells(/\/api\/user\/login$/, { require_2fa: true })(page)
  await refusesWith(/\/api\/user\/login\/2fa$/, 'The code is wrong, has expired or was already used')(page)
}

/** Enters the first factor, and waits for the prompt for the second. */
export async function enterAccount(page: Page): Promise<void> {
  await page.locator('[name=username]').fill('alice')
  await page.locator('[name=password]').fill('a-long-password')
  await submitCard(page)
  await page.locator('[name=code]').waitFor()
}

export async function enterWrongCode(page: Page): Promise<void> {
  await enterAccount(page)
  await page.locator('[name=code]').fill('123456')
  await submitCard(page)
  await page.locator('.entry-form :is([role=alert], [aria-invalid=true])').first().waitFor()
}

export const submitCard = (page: Page) => page.locator('.entry-form button[type=submit]').click()

/** Requests a code for an address, and waits until another may be requested. */
export async function requestCode(page: Page): Promise<void> {
  await page.locator('[name=email]').fill('ann@example.com')
  await page.locator('.entry-form > button:not([type=submit])').click()
  await page.locator('.entry-form > button:disabled').waitFor()
}

export async function askForLink(page: Page): Promise<void> {
  await page.locator('[name=email]').fill('ann@example.com')
  await submitCard(page)
  await page.locator('.entry-form .bp6-callout').waitFor()
}

/** Uses the link to set a new password, and waits for the result. */
export async function takeNewPassword(page: Page): Promise<void> {
  await submitCard(page)
  await page.locator('.entry-form :is([name=password], .bp6-callout)').waitFor()
}
