import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { signIn, textOf, troublesOf } from './visitor.ts'

let gateway: ServedConsole
test.beforeEach(async () => {
  gateway = await readyGateway()
  await gateway.inner.settings.set('RegisterEnabled', 'false')
})
test.afterEach(() => gateway.stop())

test('an administrator invites by link; from there to the first call it takes four inputs (docs/reference/accounts.md#invitation-links)', async ({
  page,
  browser,
}) => {
  const troubles = troublesOf(page)
  await signIn(page, gateway.url, '/user')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page).toHaveURL(/\/user\/invite$/)
  const drawer = page.getByRole('dialog', { name: 'Invite by link' })
  await drawer.getByLabel('Note').fill('For Ann')
  await expectAccessible(page, '.bp6-portal')
  await drawer.getByRole('button', { name: 'Create link' }).click()
  const copy = drawer.getByRole('button', { name: 'Copy the invitation link' })
  const link = await textOf(copy.locator('span').first(), /\/register\?invite=[\w-]{43}$/)
  await expect(drawer.getByText('No one else can open this link')).toBeVisible()
  await expect(drawer.getByRole('link', { name: 'Network sharing' })).toHaveAttribute('href', '/share')
  await expectAccessible(page, '.bp6-portal')
  await expect(drawer.getByRole('listitem')).toContainText('For Ann')
  await expect(drawer.getByRole('listitem')).toContainText('0 of 1 used')

  const guest = await (await browser.newContext()).newPage()
  const { search } = new URL(link)
  await guest.goto(`${gateway.url}/register${search}`)
  await expect(guest.getByText('Root User has invited you. Choose a username and how to log in.')).toBeVisible()
  await expectAccessible(guest)
  await guest.getByLabel('Username').fill('ann')
  await guest.getByLabel('Password', { exact: true }).fill('a-long-password')
  await guest.getByLabel('Confirm password').fill('a-long-password')
  await guest.keyboard.press('Enter')
  await expect(guest.getByLabel('Username or email')).toHaveValue('ann')
  await guest.getByLabel('Password', { exact: true }).fill('a-long-password')
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('heading', { level: 1, name: 'Connect a client' })).toBeVisible()
  await guest.context().close()
  const late = await (await browser.newContext()).newPage()
  await late.goto(`${gateway.url}/register${search}`)
  await expect(late.getByText('The invitation is not valid or has expired. Ask for a new one.')).toBeVisible()
  await expect(late.getByText('New registrations are closed')).toBeVisible()
  await late.context().close()
  expect(troubles).toEqual([])
})

test('an invitation is revoked', async ({ page }) => {
  await signIn(page, gateway.url, '/user/invite')
  const drawer = page.getByRole('dialog', { name: 'Invite by link' })
  await drawer.getByRole('button', { name: 'Create link' }).click()
  await drawer.getByRole('button', { name: 'Revoke “Invitation 1”' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(drawer.getByRole('heading', { name: 'Open invitations' })).toHaveCount(0)
  await expect.poll(() => gateway.inner.db.selectFrom('invitations').selectAll().execute()).toEqual([])
})
