import { expect, type Locator, type Page } from '@playwright/test'
import { type Client, dataOf } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { choose, confirm, expectToast } from './channel-fixture.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, pressEscape, showTenRows, signIn, troublesOf } from './visitor.ts'

let fixture: ServedVendor
test.beforeAll(async () => {
  fixture = await servedVendor()
})
test.afterAll(() => fixture.stop())

const usual = {
  password: '',
  role: 1,
  status: 1,
  group: 'default',
  remark: '',
  inviter_id: 0,
  created_at: 1_700_000_000,
}

/** Inserts accounts into the table as an import would. */
async function seed(...accounts: readonly (Partial<typeof usual> & { username: string; display_name?: string })[]) {
  const rows = accounts.map((account) => ({ ...usual, display_name: account.username, ...account }))
  await fixture.inner.db.insertInto('users').values(rows).execute()
}

const accountOf = (username: string) =>
  fixture.inner.db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
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
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

test.beforeEach(({ page }) => showTenRows(page))

test('users are found by keyword and group; filter, page and size are in the address (docs/reference/screens.md#users)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  const many = Array.from({ length: 12 }, (_, place) => ({ username: `batch${place + 1}` }))
  await seed(...many, { username: 'lena', display_name: 'Helena', group: 'vip', remark: 'pays in May', inviter_id: 1 })
  await signIn(page, fixture.url, '/user')
  const row = rowOf(page, 'lena')
  await expect(row).toContainText(/Helena.*pays in May.*vip.*\$0\.00.*\$0\.00.*Invited by 1.*Normal user/s)

  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('Rows 11 - 14 of 14')).toBeVisible()
  await expect(rowOf(page, 'root')).toContainText(/root.*Super administrator/s)
  expect(queryOf(page)).toEqual({ page: '2' })
  const keyword = page.getByLabel('ID, username, display name or email')
  await keyword.fill('ATCH1')
  await keyword.press('Enter')
  await expect(page.getByText('Rows 1 - 4 of 4')).toBeVisible()
  expect(queryOf(page)).toEqual({ keyword: 'ATCH1' })
  await expect(page.getByLabel('Rows per page').locator('option')).toHaveText([
    '10 rows',
    '20 rows',
    '50 rows',
    '100 rows',
  ])
  await page.getByLabel('Rows per page').selectOption('20')
  await expect.poll(() => queryOf(page)).toEqual({ keyword: 'ATCH1', size: '20' })
  expect(await page.evaluate(() => localStorage.getItem('page-size'))).toBe('20')

  // A form's address retains the list's filter and page size.
  await rowOf(page, 'batch12').getByRole('link').click()
  await expect(page.getByRole('dialog', { name: 'Edit batch12' })).toBeVisible()
  await expect(page).toHaveURL(/\/user\/edit\/\d+\?keyword=ATCH1&size=20$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/user\?keyword=ATCH1&size=20$/)
  await page.goBack()
  await page.goBack()
  // With the chosen page size there is no second page.
  await expect(page.getByText('Rows 1 - 14 of 14')).toBeVisible()
  expect(queryOf(page)).toEqual({})
  await expect(keyword).toHaveValue('')

  await page.getByLabel('Group').selectOption('vip')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await keyword.fill('nobody')
  await keyword.press('Enter')
  await expect(page.getByText('No matching users')).toBeVisible()
  expect(queryOf(page)).toEqual({ keyword: 'nobody', group: 'vip' })
  expect(troubles).toEqual([])
})

test('the super administrator promotes, demotes, disables, enables and deletes, after a notice of the consequences (docs/reference/accounts.md#managing-accounts)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await seed({ username: 'emil' })
  await signIn(page, fixture.url, '/user')
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
  await expect(tagOf('Disabled')).toHaveClass(/intent-danger/)
  await expect(page.getByRole('button', { name: 'Actions for emil' })).toBeFocused()
  await choose(page, 'emil', 'Enable')
  await expect(tagOf('Active')).toHaveClass(/intent-success/)

  // Another client was faster: the gateway's message is shown, and the current row.
  await choose(page, 'emil', 'Promote to administrator')
  await manage(fixture.root, 'emil', 'promote')
  await confirm(page, 'Promote', 'Promote')
  await expectToast(page, 'The user is already an administrator')
  await expect(row).toContainText('Administrator')

  await choose(page, 'emil', 'Delete')
  await confirm(page, 'This cannot be undone.', 'Delete')
  await expect(tagOf('Deactivated')).toHaveClass(/intent-danger/)
  await expect(row.getByRole('button')).toHaveCount(0)
  await expect(row.getByRole('link')).toHaveCount(0)
  await expect(page.locator('body')).not.toBeFocused()
  await page.goto(`${fixture.url}/user?keyword=root`)
  await expectEntries(page, 'root', ['Edit', 'Show usage and keys', 'Show usage log'])
  await choose(page, 'root', 'Edit')
  await page.getByRole('dialog', { name: 'Edit root' }).getByLabel('Display name').fill('Boss')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Account: Boss' })).toBeVisible()
  await page.goto(`${fixture.url}/user/edit/${(await accountOf('emil')).id}`)
  await expectToast(page, 'This account has been deactivated')
  await expect(page).toHaveURL(`${fixture.url}/user`)
  expect(troubles).toEqual([])
})

test('an administrator gets the actions that the roles allow, and other users do not see the page (docs/reference/accounts.md#managing-accounts)', async ({
  page,
  browser,
}) => {
  const troubles = troublesOf(page)
  await fixture.person('clerk')
  await manage(fixture.root, 'clerk', 'promote')
  await seed({ username: 'nora' }, { username: 'odd', status: 3 })
  await holdSession(page.context(), fixture.url, 'clerk')
  await page.goto(`${fixture.url}/user?size=100`)
  await expect(rowOf(page, 'clerk').getByRole('img')).toHaveAccessibleName(
    'You cannot change a user with the same or a higher role',
  )
  for (const name of ['root', 'clerk']) await expect(rowOf(page, name).getByRole('button')).toHaveCount(0)
  await expectEntries(page, 'nora', [
    'Edit',
    'Add quota…',
    'Show usage and keys',
    'Show usage log',
    'Disable',
    'Reset two-factor authentication',
    'Delete',
  ])
  await expect(rowOf(page, 'odd')).toContainText('Unknown')
  await page.getByRole('button', { name: 'Actions for odd' }).click()
  await expect(page.getByRole('menuitem', { name: 'Enable' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('An account in this state cannot be enabled')).toBeVisible()
  await pressEscape(page)
  await page.getByRole('button', { name: 'Add user' }).click()
  await expect(page.getByRole('dialog', { name: 'Add user' }).getByLabel('Role')).toHaveCount(0)
  await page.goto(`${fixture.url}/user/edit/1`)
  await expectToast(page, 'You cannot view a user with the same or a higher role')
  await expect(page).toHaveURL(`${fixture.url}/user`)
  expect(troubles).toEqual([])

  await fixture.person('guest')
  const context = await browser.newContext()
  await holdSession(context, fixture.url, 'guest')
  const other = await context.newPage()
  await other.goto(`${fixture.url}/user`)
  await expect(other).toHaveURL(`${fixture.url}/detail`)
  await expect(other.getByRole('link', { name: 'Users' })).toHaveCount(0)
  // A disabled user is sent to the login. The open page is closed first, because its polls could end the session
  // earlier.
  await other.close()
  await manage(fixture.root, 'guest', 'disable')
  const next = await context.newPage()
  await next.goto(`${fixture.url}/token`)
  await expect(next).toHaveURL(`${fixture.url}/login?expired=true&next=%2Ftoken`)
  await context.close()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('users are cards headed by their names, and leaving a changed form needs a confirmation (docs/reference/screens.md#forms)', async ({
    page,
  }) => {
    const troubles = troublesOf(page)
    await seed({ username: 'petra', display_name: 'Petra' })
    await signIn(page, fixture.url, '/user?keyword=petra')
    const card = page.getByRole('list', { name: 'Users' }).getByRole('listitem')
    await expect(card).toHaveCount(1)
    await expect(card.locator('strong').first()).toContainText(/petra.*Petra/s)
    await expectAccessible(page)
    await choose(page, 'petra', 'Edit')
    const form = page.getByRole('dialog', { name: 'Edit petra' })
    await form.getByLabel('Note').fill('owes')
    await expectAccessible(page)
    await pressEscape(page)
    await confirm(page, 'Discard changes in “Edit petra”?', 'Discard changes')
    await expect(form).toHaveCount(0)
    await expect(page).toHaveURL(`${fixture.url}/user?keyword=petra`)
    expect((await accountOf('petra')).remark).toBe('')
    expect(troubles).toEqual([])
  })
})

test('selected accounts are changed together; quota can be taken back, disabling needs confirmation (docs/reference/screens.md#users)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await seed({ username: 'team1' }, { username: 'team2' }, { username: 'team3' }, { username: 'boss', role: 10 })
  await signIn(page, fixture.url, '/user?keyword=team')
  await page.getByLabel('Select team1', { exact: true }).check({ force: true })
  await page.getByLabel('Select team3', { exact: true }).click({ force: true, modifiers: ['Shift'] })
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.getByLabel('Select team2', { exact: true }).uncheck({ force: true })
  await expect(page.getByText('2 selected')).toBeVisible()
  const quotas = () =>
    Promise.all(['team1', 'team2', 'team3'].map(async (username) => Number((await accountOf(username)).quota)))

  await page.getByRole('button', { name: 'Add quota', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add quota for the selected users (2)' })
  await dialog.getByRole('textbox', { name: 'Amount to add' }).fill('2')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expectToast(page, 'Users changed: 2')
  expect(await quotas()).toEqual([1_000_000, 0, 1_000_000])
  await page.locator('.bp6-toast').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(quotas).toEqual([0, 0, 0])

  await page.getByRole('button', { name: 'Set group' }).click()
  const groups = page.getByRole('dialog', { name: 'Set group' })
  await groups.getByRole('combobox', { name: 'Group' }).selectOption('vip')
  await expectAccessible(page, '.bp6-dialog')
  await groups.getByRole('button', { name: 'Save' }).click()
  await expect(rowOf(page, 'team3')).toContainText('vip')

  await page.locator('.selection-bar').getByRole('button', { name: 'Disable', exact: true }).click()
  await confirm(page, 'team3, team1', 'Disable')
  await expect(rowOf(page, 'team1')).toContainText('Disabled')
  await expect(rowOf(page, 'team2')).toContainText('Active')

  await choose(page, 'team1', 'Show usage and keys')
  await expect(page).toHaveURL(/\/detail\?user=team1&range=days7$/)
  await page.goBack()
  await page.getByLabel('Select team1', { exact: true }).check({ force: true })
  await page.getByLabel('ID, username, display name or email').fill('team1')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(page.getByText('selected', { exact: false })).toHaveCount(0)
  await page.goto(`${fixture.url}/user?keyword=team`)
  await page.getByLabel('Select team1', { exact: true }).check({ force: true })
  await page.getByLabel('Select team3', { exact: true }).check({ force: true })

  // Changed by another client in the meantime: the reason is shown, and the other account changes.
  await manage(fixture.root, 'team3', 'delete')
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await expectToast(page, 'Users changed: 1. Not changed: team3 (This account has been deactivated)')
  await expect(rowOf(page, 'team1')).toContainText('Active')

  // The super administrator's own account cannot be selected.
  await page.goto(`${fixture.url}/user?keyword=root`)
  await expect(rowOf(page, 'root')).toBeVisible()
  await expect(rowOf(page, 'root').getByRole('checkbox')).toHaveCount(0)
  expect(troubles).toEqual([])
})

test('while a form is being submitted it cannot be left, so that a refusal loses no input (docs/reference/screens.md#users)', async ({
  page,
}) => {
  await seed({ username: 'hanna' })
  const { promise: held, resolve: refuse } = Promise.withResolvers<void>()
  await page.route(/\/api\/user\/?$/, async (route) => {
    if (route.request().method() === 'PUT') await held
    await route.continue()
  })
  await signIn(page, fixture.url, `/user/edit/${(await accountOf('hanna')).id}`)
  const form = page.getByRole('dialog', { name: 'Edit hanna' })
  await form.getByLabel('Username').fill('root')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.keyboard.press('Escape')
  await expect(form.getByRole('button', { name: 'Close' })).toBeDisabled()
  refuse()
  await expectToast(page, /taken/)
  await expect(form.getByLabel('Username')).toHaveValue('root')
})
