import { expect } from '@playwright/test'
import { dataOf, signedIn } from '../support/client.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './accessible.ts'
import { refusesWith } from './entry-acts.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { mailText } from './mail-text.ts'
import { withHumanCheck } from './setting-acts.ts'
import { test } from './shared-browser.ts'
import { aMailBox, type StandIn } from './stand-ins.ts'
import { tells } from './stub-routing.ts'
import { copiedBy, holdSession, troublesOf } from './visitor.ts'

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

test('a forgotten password is replaced by mail: from the login to the login, and a link counts once (docs/reference/screens.md#recovering-a-password)', async ({
  page,
  context,
}) => {
  const { settings, db } = gateway.inner
  await settings.set('SMTPServer', '127.0.0.1')
  await settings.set('SMTPPort', String(mails.port))
  await settings.set('SMTPFrom', 'gateway@example.com')
  await settings.set('ServerAddress', gateway.url)
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  dataOf(await root.post('/api/user', { username: 'ann', password: 'what-she-forgot' }))
  await db.updateTable('users').set({ email: 'ann@example.com' }).where('username', '=', 'ann').execute()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url })
  const troubles = troublesOf(page)

  await page.goto(`${gateway.url}/login`)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('button', { name: 'Send reset email' }).click()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter email!')
  await page.getByLabel('Email').fill('ann@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText('Password reset email sent. Check your inbox.')
  await expect(page.getByRole('button', { name: /^Retry \(\d+\)$/ })).toBeDisabled()
  await expectAccessibleInBothThemes(page)

  await expect.poll(() => mails.asked.length).toBe(1)
  const [link = ''] = /http\S+\/user\/reset\?[\w.%=&-]+/.exec(mailText(mails.asked[0])) ?? []
  await page.goto(link)
  await expect(page.getByLabel('Email')).toHaveValue('ann@example.com')
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await expect(page.getByLabel('Reset code')).not.toBeEditable()
  await page.getByRole('button', { name: 'Reset password' }).click()
  const password = page.getByLabel('New password')
  await expect(password).toHaveValue(/^\w{12}$/)
  await expect(page.getByText('Copied: New password')).toBeVisible()
  await expectAccessible(page)
  const again = page.getByRole('button', { name: 'password reset complete' })
  const made = await copiedBy(page, again)
  await expect(password).toHaveValue(made)

  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await expect(page.getByLabel('Username or email')).toHaveValue('ann@example.com')
  await page.getByLabel('Password', { exact: true }).fill(made)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${gateway.url}/token`)

  await page.evaluate(() => localStorage.removeItem('user'))
  await page.goto(link)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('alert')).toHaveText('The reset link is invalid or has expired. Request a new one.')
  expect(troubles).toEqual([])
})

test('what cannot be sent, is incomplete or cannot be copied is said', async ({ page }) => {
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
  // A browser that is logged in opens the link as well.
  await holdSession(page.context(), gateway.url)
  await page.goto(`${gateway.url}/user/reset?email=ann%40example.com&token=abc`)
  await page.getByRole('button', { name: 'Reset password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cannot copy to clipboard, please copy manually' })
  await expect(dialog.getByRole('textbox')).toHaveValue('h3Kq9ZtB7wLx')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByLabel('New password')).toHaveValue('h3Kq9ZtB7wLx')
})
