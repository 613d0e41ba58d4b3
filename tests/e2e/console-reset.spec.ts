import { expect } from '@playwright/test'
import { dataOf, signedIn } from '../support/client.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { mailText } from './mail-text.ts'
import { test } from './shared-browser.ts'
import { aMailBox, type StandIn } from './stand-ins.ts'
import { copiedBy, troublesOf } from './visitor.ts'

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
  const again = page.getByRole('button', { name: 'password reset complete' })
  const made = await copiedBy(page, again)
  await expect(password).toHaveValue(made)

  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await expect(page.getByLabel('Username or email')).toHaveValue('ann@example.com')
  await page.getByLabel('Password', { exact: true }).fill(made)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${gateway.url}/detail`)

  await page.evaluate(() => localStorage.removeItem('user'))
  await page.goto(link)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('alert')).toHaveText('The reset link is invalid or has expired. Request a new one.')
  expect(troubles).toEqual([])
})
