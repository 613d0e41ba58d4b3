import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { type Client, dataOf, signedIn } from '../support/client.ts'
import { aClock } from '../support/clock.ts'
import { expectAccessible } from './accessible.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, signIn, textOf, troublesOf } from './visitor.ts'

/** Fixed, so that a code stays valid for as long as a test needs to enter it. */
const clock = aClock(Date.now())
let fixture: ServedVendor
let root: Client
test.beforeAll(async () => {
  fixture = await servedVendor({ clock })
  root = await signedIn(fixture.url, ROOT.username, ROOT.password)
})
test.afterAll(() => fixture.stop())
test.afterEach(() => require('nobody'))

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })

/** Sets up two factors over the API. */
async function secured(who: Client): Promise<void> {
  const { secret } = dataOf(await who.post('/api/user/2fa/setup', { password: ROOT.password }))
  dataOf(await who.post('/api/user/2fa/enable', { code: codeOf(secret) }))
}

/** As an administrator with two factors would. */
const require = (value: string) => fixture.inner.settings.set('TwoFactorRequiredRole', value)
const callout = (page: Page) => page.getByRole('main').getByRole('alert')

/** Goes through the dialog up to the recovery codes. */
async function setUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.keyboard.press('Enter')
  const secret = await textOf(page.locator('.security-key code'), /^(?:[A-Z2-7]{1,4} ?){4,}$/)
  await page.getByLabel('Verification code').fill(codeOf(secret.replaceAll(' ', '')))
  await page.keyboard.press('Enter')
}

test('requiring two factors is refused to a user without them, with the reason at its field (docs/reference/accounts.md#two-factors-required)', async ({
  page,
}) => {
  await signIn(page, fixture.url, '/setting?tab=system')
  const field = page.getByLabel('Require two-factor authentication', { exact: true })
  await expect(field).toHaveValue('nobody')
  await expect(field.locator('option')).toHaveText([
    'No one',
    'Super administrator',
    'Administrators and above',
    'Everybody',
  ])
  await field.selectOption('everybody')
  await expect(page.locator('[data-option="TwoFactorRequiredRole"]')).toContainText(
    'Turn on two-factor authentication for your own account before you require it of others.',
  )
  await expect(field).toHaveValue('nobody')
  await expectAccessible(page, '[data-option="TwoFactorRequiredRole"]')
  await secured(root)
  await field.selectOption('everybody')
  await expect(field).toHaveValue('everybody')
  await expect.poll(() => fixture.inner.settings.get('TwoFactorRequiredRole')).toBe('everybody')
})

test('a user who must have two factors is led to set them up, from any page and after the login, and led on at once', async ({
  page,
}) => {
  await fixture.person('vera')
  await holdSession(page.context(), fixture.url, 'vera')
  const troubles = troublesOf(page)
  await page.goto(`${fixture.url}/log`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Usage logs')
  await require('everybody')
  await page.reload()
  await expect(page).toHaveURL(`${fixture.url}/personal`)
  await expect(callout(page)).toContainText('An administrator requires it for your account')
  await expect(page.locator('.toast, .bp6-toast')).toHaveCount(0)
  await expect(page.getByRole('region')).toHaveCount(2)
  await expectAccessible(page)
  for (const place of ['Usage logs', 'Pricing', 'Playground']) {
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: place }).click()
    await expect(page).toHaveURL(`${fixture.url}/personal`)
  }
  await page.getByRole('button', { name: 'Account: vera' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${fixture.url}/login`)
  await page.goto(`${fixture.url}/login?next=%2Flog`)
  await page.getByLabel('Username or email').fill('vera')
  await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${fixture.url}/personal`)
  await setUp(page)
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await expect(page.getByText('the whole console is open to you again')).toBeVisible()
  await codes.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByRole('region', { name: 'Security' }).getByRole('button', { name: 'Turn off' })).toBeDisabled()
  await expect(page.getByText('Your account must have it.')).toBeVisible()
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/log$/)
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Personal settings' }).click()
  await expect(page.getByRole('heading', { name: 'Available models' })).toBeVisible()
  await expect(page.getByText('the whole console is open to you again')).toHaveCount(0)
  expect(troubles).toEqual([])
})
