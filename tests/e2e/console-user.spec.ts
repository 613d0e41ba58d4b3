import { expect, type Locator, type Page } from '@playwright/test'
import { expectToast } from './channel-fixture.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let fixture: ServedVendor
test.beforeAll(async () => {
  fixture = await servedVendor()
})
test.afterAll(() => fixture.stop())

const accountOf = (username: string) =>
  fixture.inner.db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
const rowOf = (page: Page, username: string): Locator =>
  page.locator('tbody tr').filter({ has: page.getByText(username, { exact: true }) })

test('a user is added and changed; a balance moves by the added amount, however much is spent meanwhile (docs/reference/screens.md#users)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await signIn(page, fixture.url, '/user')
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
  await expect(page).toHaveURL(`${fixture.url}/user`)
  await expect(rowOf(page, 'dora')).toContainText('Administrator')

  const { id } = await accountOf('dora')
  await page.goto(`${fixture.url}/user/edit/${id}`)
  const edit = page.getByRole('dialog', { name: 'Edit dora' })
  const password = edit.getByLabel('New password', { exact: true })
  await expect(password).toHaveValue('')
  await expect(password).toHaveAccessibleDescription(/At least 8 characters/)
  await edit.getByLabel('Display name').fill('Dora D.')
  await edit.getByLabel('Group').selectOption('vip')
  await edit.getByLabel('Note').fill('pays in May')
  await expect(edit.getByText('Only the user can bind or unbind these accounts.')).toBeVisible()
  await edit.getByRole('button', { name: 'Add quota' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add quota for dora' })
  await dialog.getByLabel('Amount to add', { exact: true }).fill('-1.25')
  await expect(dialog.getByText('$0.00 + -$1.25 = -$1.25')).toBeVisible()
  await dialog.getByRole('button', { name: '$10', exact: true }).click()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(edit.getByLabel('Remaining quota', { exact: true })).toHaveValue('10.00')
  await fixture.inner.ledger.move({ kind: 'admin', userId: id, amount: -500_000, refType: 'test', refId: 'spent' })
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await edit.getByRole('button', { name: 'Save' }).click()
  expect((await sent).postDataJSON()).toEqual({
    id,
    display_name: 'Dora D.',
    group: 'vip',
    remark: 'pays in May',
    quota: 5_000_000,
    quota_base: 0,
    idempotency_key: expect.any(String),
  })
  await expectToast(page, 'User info updated successfully!')
  await expect(rowOf(page, 'dora')).toContainText(/Dora D\..*vip.*\$9\.00/s)
  await expect(page).toHaveURL(`${fixture.url}/user`)

  // From the row's menu: applies at once, and can be undone.
  await page.getByRole('button', { name: 'Actions for dora' }).click()
  await page.getByRole('menuitem', { name: 'Add quota…' }).click()
  await dialog.getByRole('button', { name: '$10', exact: true }).click()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expectToast(page, 'The balance of dora is now $19.00')
  await expect(rowOf(page, 'dora')).toContainText('$19.00')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'dora')).toContainText('$9.00')
  await page.getByRole('button', { name: 'Actions for dora' }).click()
  await page.getByRole('menuitem', { name: 'Show usage log' }).click()
  await expect(page).toHaveURL(/\/log\?user=%3Ddora&from=$/)
  expect(troubles).toEqual([])
})
