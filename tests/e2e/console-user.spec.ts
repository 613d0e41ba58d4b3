import { expect, type Locator, type Page } from '@playwright/test'
import { type Client, dataOf } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { choose, confirm, expectToast } from './channel-desk.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { pressEscape, signIn, troublesOf } from './visitor.ts'

let desk: ServedVendor
test.beforeAll(async () => {
  desk = await servedVendor()
})
test.afterAll(() => desk.stop())

const usual = {
  password: '',
  role: 1,
  status: 1,
  group: 'default',
  remark: '',
  inviter_id: 0,
  created_at: 1_700_000_000,
}

/** Puts accounts into the table as an import would. */
async function seed(...accounts: readonly (Partial<typeof usual> & { username: string; display_name?: string })[]) {
  const rows = accounts.map((account) => ({ ...usual, display_name: account.username, ...account }))
  await desk.inner.db.insertInto('users').values(rows).execute()
}

const accountOf = (username: string) =>
  desk.inner.db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
const manage = async (by: Client, username: string, action: string) =>
  dataOf(await by.post('/api/user/manage', { id: (await accountOf(username)).id, action }))
const rowOf = (page: Page, username: string): Locator =>
  page.locator('tbody tr').filter({ has: page.getByText(username, { exact: true }) })
const expectEntries = async (page: Page, username: string, entries: readonly string[]): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${username}`, exact: true }).click()
  const menuItems = page.getByRole('menu').getByRole('menuitem')
  await expect(menuItems).toHaveText(entries)
  await pressEscape(page)
  await expect(page.getByRole('menu')).toHaveCount(0)
}

test('a user is added and changed; a balance moves by what was added, whatever is spent meanwhile (docs/reference/screens.md#users)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await signIn(page, desk.url, '/user')
  await page.getByRole('button', { name: 'Add user' }).click()
  const form = page.getByRole('dialog', { name: 'Add user' })
  await form.getByRole('button', { name: 'Create user' }).click()
  await expect(form.getByText('Username and password cannot be empty!')).toBeVisible()
  await expect(form.getByLabel('Username')).toBeFocused()
  await form.getByLabel('Username').fill('dora')
  await form.getByLabel('Password', { exact: true }).fill('1234567')
  await form.getByRole('button', { name: 'Create user' }).click()
  await expect(form.getByText('The password must have at least 8 characters')).toBeVisible()
  await form.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await form.getByLabel('Role').selectOption('Administrator')
  await form.getByRole('button', { name: 'Create user' }).click()
  await expectToast(page, 'User account created successfully!')
  await expect(form).toHaveCount(0)
  await expect(page).toHaveURL(`${desk.url}/user`)
  await expect(rowOf(page, 'dora')).toContainText('Administrator')

  const { id } = await accountOf('dora')
  await page.goto(`${desk.url}/user/edit/${id}`)
  const edit = page.getByRole('dialog', { name: 'Edit dora' })
  const password = edit.getByLabel('New password', { exact: true })
  await expect(password).toHaveValue('')
  await expect(password).toHaveAccessibleDescription(/At least 8 characters/)
  await edit.getByLabel('Display name').fill('Dora D.')
  await edit.getByLabel('Group').selectOption('vip')
  await edit.getByLabel('Remark').fill('pays in May')
  await expect(edit.getByText('Only the user can bind or unbind these accounts.')).toBeVisible()
  await edit.getByRole('button', { name: 'Add quota' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add quota for dora' })
  await dialog.getByLabel('Amount to add', { exact: true }).fill('-1.25')
  await expect(dialog.getByText('$0.00 + -$1.25 = -$1.25')).toBeVisible()
  await expectAccessible(page, '.bp6-dialog')
  await dialog.getByRole('button', { name: '$10', exact: true }).click()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(edit.getByLabel('Remaining quota', { exact: true })).toHaveValue('10.00')
  await desk.inner.ledger.move({ kind: 'admin', userId: id, amount: -500_000, refType: 'test', refId: 'spent' })
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await edit.getByRole('button', { name: 'Save' }).click()
  expect((await sent).postDataJSON()).toEqual({
    id,
    display_name: 'Dora D.',
    group: 'vip',
    remark: 'pays in May',
    quota: 5_000_000,
    quota_base: 0,
  })
  await expectToast(page, 'User info updated successfully!')
  await expect(rowOf(page, 'dora')).toContainText(/Dora D\..*vip.*Remaining \$9\.00/s)
  await expect(page).toHaveURL(`${desk.url}/user`)
  expect(troubles).toEqual([])
})

test('the super administrator promotes, demotes, disables, enables and deletes, and is told what follows (docs/reference/accounts.md#managing-accounts)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await seed({ username: 'emil' })
  await signIn(page, desk.url, '/user')
  const row = rowOf(page, 'emil')
  const tagOf = (text: string) => row.locator('.bp6-tag').filter({ hasText: text })
  await choose(page, 'emil', 'Promote to administrator')
  await confirm(page, 'Promote “emil” to administrator?', 'Promote')
  await expectToast(page, 'Operation completed successfully!')
  await expect(row).toContainText('Administrator')
  await choose(page, 'emil', 'Demote to normal user')
  await confirm(page, 'is logged out', 'Demote')
  await expect(row).toContainText('Normal user')
  await choose(page, 'emil', 'Disable')
  await confirm(page, 'Clients that use API keys of this user are refused', 'Disable')
  await expect(tagOf('Banned')).toHaveClass(/intent-danger/)
  await expect(page.getByRole('button', { name: 'Actions for emil' })).toBeFocused()
  await choose(page, 'emil', 'Enable')
  await expect(tagOf('Activated')).toHaveClass(/intent-success/)

  // Somebody else was quicker: what the gateway says is shown, and the row as it is now.
  await choose(page, 'emil', 'Promote to administrator')
  await manage(desk.root, 'emil', 'promote')
  await confirm(page, 'Promote', 'Promote')
  await expectToast(page, 'The user is already an administrator')
  await expect(row).toContainText('Administrator')

  await choose(page, 'emil', 'Delete')
  await confirm(page, 'This cannot be undone.', 'Delete')
  await expect(tagOf('Deactivated')).toHaveClass(/intent-danger/)
  await expect(row.getByRole('button')).toHaveCount(0)
  await expect(row.getByRole('link')).toHaveCount(0)
  await expect(page.locator('body')).not.toBeFocused()
  await page.goto(`${desk.url}/user?keyword=root`)
  await expectEntries(page, 'root', ['Edit'])
  await choose(page, 'root', 'Edit')
  await page.getByRole('dialog', { name: 'Edit root' }).getByLabel('Display name').fill('Boss')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Account: Boss' })).toBeVisible()
  await page.goto(`${desk.url}/user/edit/${(await accountOf('emil')).id}`)
  await expectToast(page, 'This account has been deactivated')
  await expect(page).toHaveURL(`${desk.url}/user`)
  expect(troubles).toEqual([])
})
