import { expect, type Page } from '@playwright/test'
import { aClient, type Client, dataOf, signedIn } from '../support/client.ts'
import { expectToast } from './channel-fixture.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { copiedBy, holdSession } from './visitor.ts'

let vendor: ServedVendor
let alice: Client
test.beforeEach(async ({ page, context }) => {
  vendor = await servedVendor()
  alice = await vendor.person('alice')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: vendor.url })
  await holdSession(page.context(), vendor.url, 'alice')
})
test.afterEach(() => vendor.stop())

async function openPersonal(page: Page): Promise<void> {
  await page.goto(`${vendor.url}/personal`)
  await page.getByRole('heading', { level: 2, name: 'Preferences' }).waitFor()
}

const regionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('a password is exchanged, an access token shown once and works (docs/reference/screens.md#personal)', async ({
  page,
}) => {
  await openPersonal(page)
  const card = regionOf(page, 'Security')
  await card.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  const save = dialog.getByRole('button', { name: 'Change password' })
  await save.click()
  await expect(dialog.getByText('Please enter the original password!')).toBeVisible()
  await expect(dialog.getByText('Please enter the new password!')).toBeVisible()
  await dialog.getByLabel('Original password').fill('not-the-password')
  await dialog.getByLabel('New password', { exact: true }).fill('another-password')
  await dialog.getByLabel('Confirm new password').fill('another-passwort')
  await save.click()
  await expect(dialog.getByText('The two passwords do not match!')).toBeVisible()
  await dialog.getByLabel('Confirm new password').fill('another-password')
  await save.click()
  await expect(dialog.getByRole('alert')).toHaveText('The original password is wrong')
  await dialog.getByLabel('Original password').fill(ROOT.password)
  await save.click()
  await expectToast(page, 'Password changed successfully!')
  await expect(dialog).toHaveCount(0)
  expect((await alice.get('/api/user/self')).status).toBe(401)
  const { id } = await signedIn(vendor.url, 'alice', 'another-password')

  await card.getByRole('button', { name: 'Generate token' }).click()
  const question = page.getByRole('alertdialog', { name: 'Generate a new system access token?' })
  await question.getByRole('button', { name: 'Generate token' }).click()
  const shown = page.getByRole('dialog', { name: 'System access token' })
  const token = await copiedBy(page, shown.getByRole('button', { name: 'Copy access token' }))
  await shown.getByRole('button', { name: 'Close' }).click()
  const byToken = aClient(vendor.url, { authorization: `Bearer ${token}`, 'new-api-user': String(id) })
  expect(dataOf(await byToken.get('/api/user/self')).username).toBe('alice')
  await expect(page.getByText(token)).toHaveCount(0)
})
