import { expect } from '@playwright/test'
import { refusesWith } from './entry-acts.ts'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { withHumanCheck } from './setting-acts.ts'
import { test } from './shared-browser.ts'
import { aMailBox, type StandIn } from './stand-ins.ts'
import { tells } from './stub-routing.ts'
import { holdSession } from './visitor.ts'

let gateway: ServedConsole
let mails: StandIn
test.beforeAll(async () => {
  mails = await aMailBox()
  gateway = await readyGateway()
})
test.afterAll(async () => {
  await gateway.stop()
  await mails.stop()
})

test('a mail that cannot be sent, an incomplete link and a failed copy are reported', async ({ page }) => {
  await refusesWith(/\/api\/reset_password\?/, 'The mail server is not configured')(page)
  await page.goto(`${gateway.url}/user/reset?email=ann%40example.com`)
  await expect(page.getByText('This link is incomplete.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reset password' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await page.getByLabel('Email').fill('ann@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('The mail server is not configured')
  await expect(page.getByRole('button', { name: 'Send reset email' })).toBeEnabled()
  await withHumanCheck(page)
  await page.reload()
  await page.locator('.human-check-field').waitFor({ state: 'attached' })
  await page.getByLabel('Email').fill('ann@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'Please retry in a few seconds, Turnstile is checking the user environment',
  )

  await tells(/\/api\/user\/reset$/, 'h3Kq9ZtB7wLx')(page)
  await page.addInitScript(() => {
    navigator.clipboard.writeText = async () => {
      throw new DOMException('no', 'NotAllowedError')
    }
    document.execCommand = () => false
  })
  // A logged-in browser can open the link too.
  await holdSession(page.context(), gateway.url)
  await page.goto(`${gateway.url}/user/reset?email=ann%40example.com&token=abc`)
  await page.getByRole('button', { name: 'Reset password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cannot copy to clipboard, please copy manually' })
  await expect(dialog.getByRole('textbox')).toHaveValue('h3Kq9ZtB7wLx')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByLabel('New password')).toHaveValue('h3Kq9ZtB7wLx')
})
