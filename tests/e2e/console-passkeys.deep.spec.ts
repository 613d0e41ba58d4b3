import { expect, type Locator, type Page } from '@playwright/test'
import { aClient, dataOf, signedIn } from '../support/client.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './accessible.ts'
import { confirm, expectToast } from './channel-fixture.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { holdSession, troublesOf } from './visitor.ts'

let gateway: ServedConsole
/** The console under a host name, which browsers require for passkeys. */
let url: string
test.beforeAll(async () => {
  gateway = await readyGateway()
  url = gateway.url.replace('127.0.0.1', 'localhost')
})
test.afterAll(() => gateway.stop())

/** Gives a page's browser a passkey device that verifies its owner; returns a function that makes verification fail. */
async function withDevice(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    knows: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }).then(() => undefined),
  }
}

const cardOf = (page: Page) => page.getByRole('region', { name: 'Security', exact: true })
const itemsOf = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
const byPasskey = (within: Page | Locator) => within.getByRole('button', { name: 'Log in with a passkey' })

async function openPersonal(page: Page, at: string): Promise<void> {
  await holdSession(page.context(), at)
  await page.goto(`${at}/personal`)
  await cardOf(page).getByRole('button', { name: 'Add passkey' }).waitFor()
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${url}/login`)
}

test('a passkey is added with the password, logs in, is renamed and removed (docs/reference/accounts.md#passkeys)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await withDevice(page)
  await openPersonal(page, url)
  await cardOf(page).getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await expect(dialog.getByLabel('Name')).toHaveValue(/^Chrome on /)
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter your password')).toBeVisible()
  await page.keyboard.type('not-the-password')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('The original password is wrong')).toBeVisible()
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await dialog.getByLabel('Name').fill('Work laptop')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Passkey added')
  await expect(itemsOf(page)).toContainText(['Work laptop'])
  await expect(itemsOf(page)).toContainText('Never used')
  await expectAccessible(page)

  await logOut(page)
  await expectAccessible(page)
  await byPasskey(page).click()
  await expect(page).toHaveURL(`${url}/detail`)

  await page.goto(`${url}/personal`)
  await expect(itemsOf(page)).toContainText('Last used')
  await page.getByRole('button', { name: 'Rename passkey “Work laptop”' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename passkey “Work laptop”' })
  await renaming.getByLabel('Name').fill(' ')
  await page.keyboard.press('Enter')
  await expect(renaming.getByText('Enter a name')).toBeVisible()
  await renaming.getByLabel('Name').fill('Old laptop')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Passkey renamed')
  await expect(page.getByRole('button', { name: 'Rename passkey “Old laptop”' })).toBeFocused()

  await page.getByRole('button', { name: 'Remove passkey “Old laptop”' }).click()
  await gateway.inner.db.updateTable('sessions').set({ created_at: 1 }).execute()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click()
  await byPasskey(page.getByRole('dialog', { name: 'Log in again' })).click()
  await expectToast(page, 'Passkey removed')
  await expect(itemsOf(page)).toHaveCount(0)
  await logOut(page)
  await byPasskey(page).click()
  await expect(page.getByText('This passkey cannot log in here, or the account is banned')).toBeVisible()
  await expectAccessible(page)
  expect(troubles).toEqual([])
})

test('a device has one passkey of an account; cancelling is reported quietly', async ({ page }) => {
  const device = await withDevice(page)
  await openPersonal(page, url)
  await device.knows(false)
  await cardOf(page).getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await dialog.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.keyboard.press('Enter')
  const canceled = 'No passkey was used. Try again, or choose another way.'
  await expect(dialog.getByRole('status')).toHaveText(canceled)
  await device.knows(true)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await expectToast(page, 'Passkey added')
  await cardOf(page).getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('This device already has a passkey for this account')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await logOut(page)
  await device.knows(false)
  await byPasskey(page).click()
  await expect(page.getByText(canceled)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await device.knows(true)
  await byPasskey(page).click()
  await expect(page).toHaveURL(`${url}/detail`)
})

test('a visitor with an invitation link chooses a passkey instead of a password, and is led on', async ({ page }) => {
  await gateway.inner.settings.set('RegisterEnabled', 'false')
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  const { code } = dataOf(await root.post('/api/invitation', {}))
  const device = await withDevice(page)
  await page.goto(`${url}/register?invite=${code}`)
  await page.getByRole('button', { name: 'Use a passkey instead of a password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  const register = page.getByRole('button', { name: 'Register', exact: true })
  await register.click()
  await expect(page.getByText('Enter a username')).toBeVisible()
  await page.getByLabel('Username').fill('root')
  await register.click()
  await expect(page.getByText('This username is taken or belongs to a deactivated account')).toBeVisible()
  await device.knows(false)
  await page.getByLabel('Username').fill('kim')
  await register.click()
  await expect(page.getByRole('status')).toContainText(['No passkey was used'])
  await device.knows(true)
  await register.click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await byPasskey(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Connect a client' })).toBeVisible()
  const row = await gateway.inner.db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select(['username', 'password', 'name'])
    .where('username', '=', 'kim')
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ username: 'kim', password: '', name: expect.stringMatching(/^Chrome on /) })
  await gateway.inner.settings.set('RegisterEnabled', 'true')
})

test('at a numeric address passkeys are not offered; the personal settings explain why, and still remove one', async ({
  page,
}) => {
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  const { id } = dataOf(await root.get('/api/user/self'))
  const row = { user_id: id, credential_id: 'elsewhere', user_handle: 'h', name: 'Phone', public_key: 'k' }
  const at = { rp_id: 'gateway.example', created_at: 1_700_000_000, last_used_at: null }
  await gateway.inner.db.deleteFrom('passkeys').where('user_id', '=', id).execute()
  await gateway.inner.db
    .insertInto('passkeys')
    .values({ ...row, ...at })
    .execute()
  for (const path of ['login', 'register']) {
    await page.goto(`${gateway.url}/${path}`)
    await page.locator('form').waitFor()
    await expect(page.getByRole('button', { name: /passkey/ })).toHaveCount(0)
  }
  await openPersonal(page, gateway.url)
  await expect(cardOf(page).getByRole('button', { name: 'Add passkey' })).toBeDisabled()
  await expect(cardOf(page)).toContainText('Open the console over https with a host name, or at localhost')
  await expect(itemsOf(page)).toContainText('For gateway.example')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Remove passkey “Phone”' }).click()
  await confirm(page, 'You can no longer log in with it', 'Remove passkey')
  await expect(itemsOf(page)).toHaveCount(0)
  expect(dataOf(await aClient(gateway.url, root.identity()).get('/api/user/passkey'))).toEqual([])
})
