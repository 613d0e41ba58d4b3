import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothThemes } from './accessible.ts'
import { expectToast } from './channel-desk.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { holdSession, troublesOf } from './visitor.ts'

let gateway: ServedConsole
/** The console at a host name, where browsers have passkeys. */
let url: string
test.beforeAll(async () => {
  gateway = await readyGateway()
  url = gateway.url.replace('127.0.0.1', 'localhost')
})
test.afterAll(() => gateway.stop())

/** Gives a page's browser a device that holds passkeys and knows its owner; answers how to make the owner a stranger. */
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

test('a passkey is added by who knows the password, logs in, is renamed and removed (docs/reference/accounts.md#passkeys)', async ({
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
  await expect(page).toHaveURL(`${url}/token`)

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
