import type { Page } from '@playwright/test'

/** The gateway says these things of itself beside what is so. */
export const statusSays = (changes: object) => (page: Page) =>
  page.route(/\/api\/status$/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, ...changes } } })
  })

/** Refuses a call with these words. */
export const refusesWith = (path: RegExp, message: string) => (page: Page) =>
  page.route(path, (route) => route.fulfill({ json: { success: false, message } }))

/** Presses the button of the card's form. */
export const submitCard = (page: Page) => page.locator('.entry-form button[type=submit]').click()

/** Has a code sent to an address, and waits until it may be asked for again. */
export async function askForCode(page: Page): Promise<void> {
  await page.locator('[name=email]').fill('ann@example.com')
  await page.locator('.entry-form > button:not([type=submit])').click()
  await page.locator('.entry-form > button:disabled').waitFor()
}

/** Asks for the mail with the link. */
export async function askForLink(page: Page): Promise<void> {
  await page.locator('[name=email]').fill('ann@example.com')
  await submitCard(page)
  await page.locator('.entry-form .bp6-callout').waitFor()
}

/** Exchanges the link for a new password, and waits for what comes of it. */
export async function takeNewPassword(page: Page): Promise<void> {
  await submitCard(page)
  await page.locator('.entry-form :is([name=password], .bp6-callout)').waitFor()
}
