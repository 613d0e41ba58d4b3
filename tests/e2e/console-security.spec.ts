import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { aClock } from '../support/clock.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './accessible.ts'
import { expectToast } from './channel-fixture.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { copiedBy, holdSession, troublesOf } from './visitor.ts'

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

const regionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function openPersonal(page: Page, username: string): Promise<void> {
  await holdSession(page.context(), fixture.url, username)
  await page.goto(`${fixture.url}/personal`)
  await regionOf(page, 'Sessions').getByRole('listitem').first().waitFor()
}

async function logIn(page: Page, username: string, code: string): Promise<void> {
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two-factor authentication')
  await expect(page).toHaveTitle(/^Two-factor authentication/)
  await expect(page.getByLabel('Verification code')).toBeFocused()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account: vera' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${fixture.url}/login`)
}

/** Proceeds from the password to the secret, which is the same as text and as image; returns it. */
async function takeSecret(page: Page, dialog: Locator): Promise<string> {
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('Enter your password')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill('not-the-password')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('The original password is wrong')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expect(dialog.getByLabel('Verification code')).toBeFocused()
  const secret = await copiedBy(page, dialog.getByRole('button', { name: 'Copy key' }))
  await expect(dialog.locator('code')).toHaveText(secret.replace(/.{4}(?=.)/g, '$& '))
  await expectAccessibleInBothThemes(page)
  return secret
}

test('two factors are turned on, required at the login, replaced by a recovery code, and turned off (docs/reference/accounts.md#two-factors)', async ({
  page,
  context,
}) => {
  const troubles = troublesOf(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: fixture.url })
  await fixture.person('vera')
  await openPersonal(page, 'vera')
  const card = regionOf(page, 'Security')
  await card.getByRole('button', { name: 'Turn on' }).click()
  const secret = await takeSecret(page, page.getByRole('dialog', { name: 'Turn on two-factor authentication' }))
  await page.getByLabel('Verification code').fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The code is wrong, has expired or was already used')).toBeVisible()
  await page.keyboard.type(codeOf(secret))
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  await expect(shown.getByText('Two-factor authentication is on.')).toBeFocused()
  await expectAccessible(page)
  const codes = (await copiedBy(page, shown.getByRole('button', { name: 'Copy codes' }))).split('\n')
  const download = page.waitForEvent('download')
  await shown.getByRole('button', { name: 'Download' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain(`for Switchyard (${fixture.url})`)
  await page.keyboard.press('Escape')
  await expect(shown).toBeVisible()
  await shown.getByRole('button', { name: 'I have saved them' }).click()
  await expect(card.getByRole('button', { name: 'Turn off' })).toBeFocused()
  await expect(card).toContainText('Recovery codes left: 10')

  await logOut(page)
  await logIn(page, 'vera', codeOf(secret))
  await expect(page).toHaveURL(`${fixture.url}/detail`)
  await logOut(page)
  await logIn(page, 'vera', codes[0] ?? '')
  await expect(page).toHaveURL(`${fixture.url}/detail`)

  await page.goto(`${fixture.url}/personal`)
  await expect(card).toContainText('Recovery codes left: 9')
  await card.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByLabel('Verification code').fill(codes[1] ?? '')
  await page.keyboard.press('Enter')
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  let renewed: string[] = []
  await expect(async () => {
    renewed = await shown.getByRole('listitem').allInnerTexts()
    expect(renewed).toHaveLength(10)
    expect(codes.filter((code) => renewed.includes(code))).toEqual([])
  }).toPass()
  await shown.getByRole('button', { name: 'I have saved them' }).click()
  await card.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Verification code').fill(renewed[0] ?? '')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Two-factor authentication is off')
  await expect(card.getByRole('button', { name: 'Turn on' })).toBeFocused()
  // The browser logs refused requests.
  expect(troubles.filter((trouble) => !trouble.includes('403'))).toEqual([])
})
