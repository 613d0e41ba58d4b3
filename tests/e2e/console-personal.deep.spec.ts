import { expect, type Page } from '@playwright/test'
import { aClient, type Client, dataOf } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { expectToast } from './channel-fixture.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { aMailBox } from './stand-ins.ts'
import { copiedBy, holdSession, tick, troublesOf } from './visitor.ts'

const models = Array.from({ length: 13 }, (_, n) => `model-${String.fromCharCode(97 + n)}`)

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
const settingOf = async (who: Client) => JSON.parse(dataOf(await who.get('/api/user/self')).setting || '{}')

test('balance and names; ten models until all are requested, each copied by a click (docs/reference/screens.md#personal)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await vendor.channel({ models: models.join() })
  await openPersonal(page)
  const head = regionOf(page, 'alice')
  for (const text of ['Normal user', 'default', '$2.00', 'Requests']) await expect(head).toContainText(text)
  const offered = regionOf(page, 'Available models')
  const tags = offered.getByRole('listitem')
  await expect(tags).toHaveCount(10)
  expect(await copiedBy(page, offered.getByRole('button', { name: 'model-c' }))).toBe('model-c')
  await offered.getByRole('button', { name: '3 more models' }).click()
  await expect(tags).toHaveCount(13)
  await expect(offered.getByRole('button', { name: 'model-k' })).toBeFocused()
  await page.reload()
  await expect(tags).toHaveCount(13)
  await offered.getByRole('button', { name: 'Collapse' }).click()
  await expect(tags).toHaveCount(10)
  const info = regionOf(page, 'Personal info')
  await info.getByLabel('Username').fill('a@b')
  await info.getByRole('button', { name: 'Save' }).click()
  await expect(info.getByLabel('Username')).toBeFocused()
  await info.getByLabel('Username').fill('root')
  await info.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Update failed: This username is taken or belongs to a deactivated account')
  await info.getByLabel('Username').fill('alice')
  await info.getByLabel('Display name').fill('Alice W.')
  await page.getByRole('link', { name: 'API tokens' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await info.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'User info updated successfully!')
  await expect(page.getByRole('banner')).toContainText('Alice W.')
  await expectAccessible(page)
  const imported = { display_name: 'Alice, a name longer than twenty characters' }
  await vendor.inner.db.updateTable('users').set(imported).where('username', '=', 'alice').execute()
  await page.reload()
  await info.getByLabel('Username').fill('alicia')
  await info.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'User info updated successfully!')
  await page.goto(`${vendor.url}/user/edit`)
  await expect(page).toHaveURL(`${vendor.url}/personal`)
  expect(troubles).toEqual([])
})

test('the link is copied, earnings go to the balance from a dollar on; in self-use mode there are no invitations (docs/reference/screens.md#personal)', async ({
  page,
}) => {
  const earned = { aff_quota: 1_500_000, aff_history: 2_000_000, aff_count: 3 }
  await vendor.inner.db.updateTable('users').set(earned).where('username', '=', 'alice').execute()
  await openPersonal(page)
  const card = regionOf(page, 'Invitations')
  for (const text of ['$3.00', '$4.00']) await expect(card).toContainText(text)
  const code = dataOf(await alice.get('/api/user/aff'))
  const link = card.getByLabel('Invitation link')
  await expect(link).toHaveValue(`${vendor.url}/register?aff=${code}`)
  expect(await copiedBy(page, link)).toBe(`${vendor.url}/register?aff=${code}`)
  await expect(card).toContainText('No one else can open this link')
  await page.route('**/api/share/address', (route) =>
    route.fulfill({ status: 500, json: { success: false, message: '' } }),
  )
  await page.reload()
  await expect(link).toHaveValue(`${vendor.url}/register?aff=${code}`)
  await expect(card, 'nobody could tell').not.toContainText('No one else can open this link')
  await page.unroute('**/api/share/address')
  await vendor.inner.settings.set('ServerAddress', 'https://ai.example.com')
  await page.reload()
  await expect(link).toHaveValue(`https://ai.example.com/register?aff=${code}`)
  await expect(card).not.toContainText('No one else can open this link')
  await card.getByRole('button', { name: 'Transfer to balance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Transfer to balance' })
  const amount = dialog.getByLabel('Amount to transfer', { exact: true })
  await expect(amount).toHaveValue('3.00')
  await expectAccessible(page)
  for (const [typed, told] of [
    ['0.5', 'Transfer amount minimum is $1.00'],
    ['4', 'Not enough invitation rewards'],
  ] as const) {
    await amount.fill(typed)
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
    await expect(dialog.getByText(told)).toBeVisible()
  }
  await amount.fill('2.50')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Transferred to your balance')
  await expect(card).toContainText('$0.50')
  await expect(card.getByRole('button', { name: 'Transfer to balance' })).toBeDisabled()
  await expect(regionOf(page, 'alice')).toContainText('$4.50')
  dataOf(await vendor.root.put('/api/option', { key: 'SelfUseModeEnabled', value: true }))
  await openPersonal(page)
  await expect(card).toHaveCount(0)
  await expect(regionOf(page, 'alice')).not.toContainText('Normal user')
  // The status of the last visit is used until the new one is loaded.
  dataOf(await vendor.root.put('/api/option', { key: 'SelfUseModeEnabled', value: false }))
  const { promise: isShown, resolve: letCome } = Promise.withResolvers<void>()
  await page.route('**/api/status', async (route) => {
    await isShown
    await route.continue()
  })
  await page.reload()
  await expect(regionOf(page, 'Security').getByText('Passkeys, two-factor authentication')).toBeVisible()
  letCome()
  await expect(regionOf(page, 'Sessions')).toBeVisible()
})

test('notices by webhook: changes are saved, the secret stays masked until it is removed (docs/reference/screens.md#personal)', async ({
  page,
}) => {
  await openPersonal(page)
  const card = regionOf(page, 'Preferences')
  const save = card.getByRole('button', { name: 'Save preferences' })
  const threshold = card.getByLabel('Warning threshold', { exact: true })
  await expect(threshold).toHaveValue('1.00')
  for (const usual of ['100000 (0.2$)', '500000 (1$)', '1000000 (5$)', '5000000 (10$)'])
    await expect(card.getByRole('button', { name: usual, exact: true })).toBeVisible()
  await card.getByRole('button', { name: '500000 (1$)' }).click()
  await tick(card.getByLabel('Webhook', { exact: true }))
  await card.getByRole('tab', { name: 'Privacy' }).click()
  await tick(card.getByLabel('Record IP addresses'))
  await save.click()
  const address = card.getByLabel('Webhook URL')
  await expect(address).toBeFocused()
  await expect(card.getByText('Enter the webhook URL')).toBeVisible()
  await address.fill('https://hooks.example.com/switchyard')
  await expect(address).toHaveAccessibleDescription('An https address. It receives a POST request.')
  await card.getByLabel('Webhook secret', { exact: true }).fill('a-long-secret')
  await card.getByText('Webhook content').click()
  await expectAccessible(page)
  await save.click()
  await expectToast(page, 'Notification settings updated')
  const saved = {
    notify_type: 'webhook',
    quota_warning_threshold: 500_000,
    webhook_url: 'https://hooks.example.com/switchyard',
    record_ip_log: true,
  }
  expect(await settingOf(alice)).toEqual({ ...saved, webhook_secret: '••••' })
  await page.reload()
  await expect(card.getByLabel('Webhook secret', { exact: true })).toHaveAttribute('placeholder', '••••')
  await address.fill('http:// nowhere')
  await save.click()
  await expect(card.getByText('The webhook URL is not valid')).toBeVisible()
  await address.fill('https://name:word@hooks.example.com')
  await save.click()
  await expectToast(
    page,
    /^Failed to update notification settings: Leave the user name and password out of the webhook URL/,
  )
  await card.getByRole('button', { name: 'Discard' }).click()
  await expect(address).toHaveValue('https://hooks.example.com/switchyard')
  await card.getByRole('button', { name: 'Remove the webhook secret' }).click()
  await card.getByRole('tab', { name: 'Prices' }).click()
  await tick(card.getByLabel('Accept models without a price'))
  await save.click()
  await expectToast(page, 'Notification settings updated')
  expect(await settingOf(alice)).toEqual({ ...saved, accept_unset_model_ratio_model: true })
})

test('notices by mail go to another address once its code is entered (docs/reference/screens.md#personal)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  const mails = await aMailBox()
  await mailThrough(mails.port)
  await openPersonal(page)
  const card = regionOf(page, 'Preferences')
  const save = card.getByRole('button', { name: 'Save preferences' })
  const code = card.getByLabel('Verification code')
  await expect(code).toHaveCount(0)
  await card.getByLabel('Notification email').fill('team@example.com')
  await save.click()
  await expect(code).toBeFocused()
  await expect(card.getByText('Get a code for the notification email and enter it')).toBeVisible()
  await expectAccessible(page, 'main')
  await card.getByRole('button', { name: 'Get code' }).click()
  await expectToast(page, 'Verification code sent')
  await expect(card.getByRole('button', { name: /^Resend \(\d+\)$/ })).toBeDisabled()
  await expect(code).toBeFocused()
  await page.keyboard.type(/\b(\d{6})\b/.exec(mails.asked[0] ?? '')?.[1] ?? 'none')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Notification settings updated')
  await expect(code).toHaveCount(0)
  expect(await settingOf(alice)).toMatchObject({ notify_type: 'email', notification_email: 'team@example.com' })
  // An address that the chosen method does not use is not submitted, so it needs no verification.
  await card.getByLabel('Notification email').fill('else@example.com')
  await tick(card.getByLabel('Webhook', { exact: true }))
  await card.getByLabel('Webhook URL').fill('https://hooks.example.com')
  await save.click()
  // The toast of the earlier save may still be there.
  await expect
    .poll(() => settingOf(alice))
    .toMatchObject({ notify_type: 'webhook', notification_email: 'team@example.com' })
  expect(troubles).toEqual([])
  await mails.stop()
})

test('a mail address is bound by its code; typing the name deletes the account for good, except the super administrator’s (docs/reference/screens.md#personal)', async ({
  page,
  browser,
}) => {
  const mails = await aMailBox()
  await mailThrough(mails.port)
  await openPersonal(page)
  await bindAddress(page, () => /\b(\d{6})\b/.exec(mails.asked[0] ?? '')?.[1] ?? 'none')
  await mails.stop()
  await regionOf(page, 'Security').getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel('Enter “alice” to confirm').fill('alic')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Please enter your account name to confirm deletion!')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.type('e')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page).toHaveURL(`${vendor.url}/login`)
  await expectToast(page, 'Account deleted!')
  expect((await aClient(vendor.url).post('/api/user/login', { ...ROOT, username: 'alice' })).success).toBe(false)

  const context = await browser.newContext()
  await holdSession(context, vendor.url)
  const other = await context.newPage()
  await openPersonal(other)
  const card = regionOf(other, 'Security')
  await expect(card.getByRole('button', { name: 'Delete account' })).toBeDisabled()
  await expect(card).toContainText('The super administrator cannot be deleted')
  await context.close()
})

/** Configures a mail server on loopback. */
async function mailThrough(port: number): Promise<void> {
  const server = { SMTPServer: '127.0.0.1', SMTPPort: String(port), SMTPFrom: 'gateway@example.com' }
  for (const [key, value] of Object.entries(server)) dataOf(await vendor.root.put('/api/option', { key, value }))
}

async function bindAddress(page: Page, codeIn: () => string): Promise<void> {
  const info = regionOf(page, 'Personal info')
  await info.getByRole('button', { name: 'Bind email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bind email' })
  await dialog.getByRole('button', { name: 'Get code' }).click()
  await expect(dialog.getByText('Please enter email!')).toBeVisible()
  await dialog.getByLabel('Email address').fill('alice@example.com')
  await dialog.getByRole('button', { name: 'Get code' }).click()
  await expectToast(page, 'Verification code sent, check your email!')
  const code = dialog.getByLabel('Verification code')
  await expect(code).toBeFocused()
  await expect(dialog.getByRole('button', { name: /^Resend \(\d+\)$/ })).toBeDisabled()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Please enter the email verification code!')).toBeVisible()
  await expectAccessible(page)
  await code.fill(codeIn())
  await page.keyboard.press('Enter')
  await expectToast(page, 'Email account bound successfully!')
  await expect(info.getByRole('listitem').filter({ hasText: 'Email' })).toContainText('alice@example.com')
  await expect(info.getByRole('button', { name: 'Change email' })).toBeVisible()
}
