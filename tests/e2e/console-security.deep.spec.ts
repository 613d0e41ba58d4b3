import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { aClient, type Client, dataOf, signedIn } from '../support/client.ts'
import { aClock } from '../support/clock.ts'
import { expectAccessible } from './accessible.ts'
import { choose, confirm, expectToast } from './channel-fixture.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, signIn } from './visitor.ts'

/** Fixed, so that a code stays valid for as long as a test needs to enter it. */
const clock = aClock(Date.now())
let fixture: ServedVendor
test.beforeAll(async () => {
  fixture = await servedVendor({ clock })
})
test.afterAll(() => fixture.stop())

/** The next code of an authenticator app: each is accepted once. */
function codeOf(secret: string): string {
  clock.advanceSeconds(30)
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
}

/** Sets up two factors over the API. */
async function secured(who: Client): Promise<readonly string[]> {
  const { secret } = dataOf(await who.post('/api/user/2fa/setup', { password: ROOT.password }))
  return dataOf(await who.post('/api/user/2fa/enable', { code: codeOf(secret) })).backup_codes
}

const regionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function openPersonal(page: Page, username: string): Promise<void> {
  await holdSession(page.context(), fixture.url, username)
  await page.goto(`${fixture.url}/personal`)
  await regionOf(page, 'Sessions').getByRole('listitem').first().waitFor()
}

test('sessions are listed by browser and ended, one or all others; failed logins are in the history (docs/reference/accounts.md#sessions)', async ({
  page,
}) => {
  const person = await fixture.person('sven')
  await fixture.inner.db.updateTable('sessions').set({ user_agent: 'curl/8.14.1' }).execute()
  await openPersonal(page, 'sven')
  await signedIn(fixture.url, 'sven', ROOT.password)
  await aClient(fixture.url).post('/api/user/login', { username: 'sven', password: 'not-the-password' })
  await page.reload()
  const places = regionOf(page, 'Sessions').getByRole('listitem')
  await expect(places).toHaveCount(3)
  await expect(places.first()).toContainText('This session')
  await expect(places.first().getByRole('button')).toHaveCount(0)
  await places.getByRole('button', { name: /^End session: curl/ }).click()
  await confirm(page, 'End the session “curl”?', 'End session')
  await expectToast(page, 'Session ended')
  await expect(places).toHaveCount(2)
  expect((await person.get('/api/user/self')).status).toBe(401)
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await confirm(page, 'You stay logged in here.', 'End sessions')
  await expect(places).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'End all other sessions' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Login history' }).click()
  const history = page.getByRole('dialog', { name: 'Login history' })
  await expect(history.getByRole('listitem').first()).toContainText(/Failed.*Password.*127\.0\.0\.1/s)
  await expect(history.getByText('Failed', { exact: true })).toHaveCount(1)
  await expectAccessible(page)
})

test('signing in again over a form requires the code as well; an administrator removes lost factors of users of a lower role (docs/reference/accounts.md#two-factors)', async ({
  page,
}) => {
  const codes = await secured(await fixture.person('lost'))
  await signIn(page, fixture.url, '/user')
  await choose(page, 'lost', 'Reset two-factor authentication')
  await confirm(page, 'Two-factor authentication is turned off, and recovery codes', 'Reset')
  await expectToast(page, 'Operation completed successfully!')
  expect(dataOf(await aClient(fixture.url).post('/api/user/login', { ...ROOT, username: 'lost' })).username).toBe(
    'lost',
  )
  expect(codes).toHaveLength(10)

  const own = await secured(fixture.root)
  await page.getByRole('button', { name: 'Add user' }).click()
  const form = page.getByRole('dialog', { name: 'Add user' })
  await form.getByLabel('Username').fill('newcomer')
  await form.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.context().clearCookies()
  await form.getByRole('button', { name: 'Create user' }).click()
  const again = page.getByRole('dialog', { name: 'Log in again' })
  await again.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.keyboard.press('Enter')
  await expect(again.getByLabel('Verification code')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('123456')
  await page.keyboard.press('Enter')
  await expect(again.getByRole('alert')).toHaveText('The code is wrong, has expired or was already used')
  await page.keyboard.type(own[0] ?? '')
  await page.keyboard.press('Enter')
  await expectToast(page, 'User account created successfully!')
  await expect(again).toHaveCount(0)
})
