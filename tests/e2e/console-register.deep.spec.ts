import { expect, type Page } from '@playwright/test'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { withHumanCheck } from './setting-acts.ts'
import { test } from './shared-browser.ts'
import { aMailBox, type StandIn } from './stand-ins.ts'
import { openStopped } from './stopped-clock.ts'

let gateway: ServedConsole
let mails: StandIn
test.beforeEach(async () => {
  mails = await aMailBox()
  gateway = await readyGateway()
})
test.afterEach(async () => {
  await gateway.stop()
  await mails.stop()
})

const set = (key: Parameters<ServedConsole['inner']['settings']['set']>[0], value: string) =>
  gateway.inner.settings.set(key, value)

/** Requires verified mail addresses, through the mail server on loopback. */
async function verifyAddresses(): Promise<void> {
  await set('SMTPServer', '127.0.0.1')
  await set('SMTPPort', String(mails.port))
  await set('SMTPFrom', 'gateway@example.com')
  await set('EmailVerificationEnabled', 'true')
}

async function fillIn(page: Page, username: string, password = 'a-long-password'): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
}

const register = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Register' }).click()

test('each problem is shown at its field, the gateway’s too; another code is sent after 30 seconds', async ({
  page,
}) => {
  await verifyAddresses()
  await openStopped(page, () => expectProblems(page))
  await page.clock.runFor(30_000)
  await expect(page.getByRole('button', { name: 'Get verification code' })).toBeEnabled()
})

/** Expects each problem at its field, and a code to be sent nonetheless. */
async function expectProblems(page: Page): Promise<void> {
  await page.goto(`${gateway.url}/register`)
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await register(page)
  await expect(field('Username')).toBeFocused()
  await expect(field('Username')).toHaveAccessibleDescription('Enter a username')
  await expect(field('Password')).toHaveAccessibleDescription('Password length must not be less than 8')
  await expect(field('Password')).toHaveAttribute('placeholder', '8 to 20 characters')
  await expect(field('Email')).toHaveAccessibleDescription('Please enter email!')
  await expect(field('Verification code')).toHaveAccessibleDescription('Please enter the email verification code!')
  await page.getByRole('button', { name: 'Get verification code' }).click()
  await expect(field('Email')).toBeFocused()
  await field('Email').fill('no address')
  await page.getByRole('button', { name: 'Get verification code' }).click()
  await expect(field('Email')).toHaveAccessibleDescription('Invalid email address')
  await field('Email').fill('bob@example.com')
  await page.getByRole('button', { name: 'Get verification code' }).click()
  const again = page.getByRole('button', { name: /^resend/ })
  await expect(again).toBeDisabled()
  await fillIn(page, ROOT.username)
  await field('Confirm password').fill('something-else')
  await field('Verification code').fill('000')
  await register(page)
  await expect(field('Confirm password')).toHaveAccessibleDescription('The two passwords do not match')
  await field('Confirm password').fill('a-long-password')
  await register(page)
  await expect(field('Username')).toHaveAccessibleDescription(
    'This username is taken or belongs to a deactivated account',
  )
  await field('Username').fill('bob')
  await register(page)
  await expect(field('Verification code')).toHaveAccessibleDescription('The verification code is wrong or has expired')
  await expect(field('Verification code')).toBeFocused()
}

test('closed or pending registration is shown, and nothing leads to a closed registration', async ({ page }) => {
  await set('PasswordRegisterEnabled', 'false')
  await page.goto(gateway.url)
  await page.getByRole('banner').getByRole('link', { name: 'Register' }).click()
  await fillIn(page, 'ann')
  await register(page)
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'Password registration is turned off. Use a third-party account.',
  )
  await withHumanCheck(page)
  await page.reload()
  await page.locator('.human-check-field').waitFor({ state: 'attached' })
  await fillIn(page, 'ann')
  await register(page)
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'Please retry in a few seconds, Turnstile is checking the user environment',
  )
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const [key, value] of [
    ['RegisterEnabled', 'false'],
    ['SelfUseModeEnabled', 'true'],
  ] as const) {
    const before = gateway.inner.settings.get(key)
    await set(key, value)
    await page.goto(`${gateway.url}/register`)
    await expect(page.getByText('New registrations are closed')).toBeVisible()
    await expect(page.getByLabel('Username')).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await expect(page.getByRole('heading', { name: 'Log in to Switchyard' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Register' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveCount(key === 'RegisterEnabled' ? 1 : 0)
    await set(key, String(before))
  }
})
