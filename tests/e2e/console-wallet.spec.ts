import { readFile } from 'node:fs/promises'
import { expect, type Route } from '@playwright/test'
import { type Client, dataOf } from '../support/client.ts'
import { anEpay, type Epay } from '../support/epay.ts'
import { choose, confirm, expectToast } from './channel-fixture.ts'
import { refusesWith } from './entry-acts.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { copiedBy, holdSession, showTenRows, signIn, troublesOf } from './visitor.ts'

let fixture: ServedVendor
let epay: Epay
test.beforeAll(async () => {
  ;[fixture, epay] = await Promise.all([servedVendor(), anEpay()])
})
test.afterAll(async () => void (await Promise.all([fixture.stop(), epay.stop()])))

const option = async (key: string, value: string) => dataOf(await fixture.root.put('/api/option', { key, value }))
async function loseResponse(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}
const balanceOf = async (who: Client): Promise<number> => dataOf(await who.get('/api/user/self')).quota

test.beforeEach(({ page }) => showTenRows(page))

test('an administrator makes codes, saves them as a file, finds, copies, changes and switches them; used ones stay unchanged', async ({
  page,
  context,
}) => {
  const troubles = troublesOf(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, fixture.url, '/redemption')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Redemption codes' })).toBeVisible()
  await expect(page.getByText('No redemption codes yet')).toBeVisible()

  // An unnamed batch is named after its quota.
  await page.getByRole('button', { name: 'Create codes' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Create codes' })
  await expect(drawer.getByLabel('Quota', { exact: true })).toHaveValue('0.20')
  await drawer.getByLabel('Number of codes').fill('101')
  await drawer.getByLabel('Name').fill('a name of more than twenty')
  await drawer.getByLabel('Expires').pressSequentially('12')
  await drawer.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(drawer.getByText('You can create at most 100 codes at a time')).toBeVisible()
  await expect(drawer.getByText('The name must have 1 to 20 characters')).toBeVisible()
  await expect(drawer.getByText('The expiry date is not valid')).toBeVisible()
  await drawer.getByLabel('Name').fill('')
  await drawer.getByLabel('Expires').fill('')
  await drawer.getByRole('button', { name: '$10', exact: true }).click()
  await drawer.getByLabel('Number of codes').fill('12')
  // The response is lost: the next try returns the same codes.
  await page.route(/\/api\/redemption$/, loseResponse, { times: 1 })
  await drawer.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Unable to connect to server')
  troubles.length = 0
  await drawer.getByRole('button', { name: 'Create', exact: true }).click()
  const made = page.getByRole('dialog', { name: 'Codes created: 12' })
  const saved = page.waitForEvent('download')
  await made.getByRole('button', { name: 'Save $10.00.txt' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toBe('$10.00.txt')
  const keys = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(keys).toHaveLength(12)
  await made.getByRole('button', { name: 'Close' }).click()

  await expect(page.getByText('Rows 1 - 10 of 12')).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('Rows 11 - 12 of 12')).toBeVisible()
  const copyButton = page.getByRole('button', { name: /^Copy selected/ })
  await copyButton.click()
  await expectToast(page, 'Select at least one code')
  await page.getByRole('checkbox', { name: '$10.00 #2' }).check({ force: true })
  await page.getByRole('checkbox', { name: '$10.00 #1' }).check({ force: true })
  const copied = await copiedBy(page, copyButton)
  expect(copied).toBe(`$10.00    ${keys[1]}\n$10.00    ${keys[0]}`)

  await choose(page, '$10.00 (ID 2)', 'Disable')
  const row = page.locator('tbody tr').filter({ hasText: '$10.00' })
  await expect(row.filter({ hasText: 'Disabled' })).toHaveCount(1)
  await choose(page, '$10.00 (ID 2)', 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit $10.00' })
  await edit.getByLabel('Name').fill('spring')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Update succeeded')
  await choose(page, 'spring (ID 2)', 'Enable')

  const ann = await fixture.person('ann')
  dataOf(await ann.post('/api/user/topup', { key: keys[1] }))
  const keyword = page.getByRole('textbox', { name: 'ID or name' })
  await keyword.fill('spr')
  await keyword.press('Enter')
  const used = page.locator('tbody tr').filter({ hasText: 'spring' })
  await expect(page.getByText('Rows 1 - 1 of 1')).toBeVisible()
  await expect(used).toContainText(/Used.*ann/s)
  await page.getByRole('button', { name: 'Actions for spring (ID 2)' }).click()
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeDisabled()
  await expect(page.getByRole('menuitem', { name: 'Enable' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete invalid codes' }).click()
  await confirm(page, 'Delete all used, disabled and expired codes?', 'Delete')
  await expectToast(page, 'Codes deleted: 1')
  await expect(page.getByText('No matching codes')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText('No matching codes')).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'ID or name' })).toHaveValue('')
  expect(troubles).toEqual([])
})

test('a person redeems a code, buys quota at the provider’s, and sees the result; the administrator sees the order', async ({
  page,
  context,
  browser,
}) => {
  const troubles = troublesOf(page)
  const bob = await fixture.person('bob')
  await holdSession(context, fixture.url, 'bob')
  const last = page.getByRole('region', { name: 'Recent top-ups' })
  await page.route(/\/api\/log\/self/, (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
  await page.goto(`${fixture.url}/topup`)
  await expect(last).toContainText('Could not load')
  await last.getByRole('button', { name: 'Try again' }).click()
  await expect(last).toContainText('Nothing has been added to your balance yet.')
  troubles.length = 0
  await expect(page.getByText('Online top-up is not enabled')).toBeVisible()
  await page.getByRole('button', { name: 'Redeem', exact: true }).click()
  await expect(page.getByText('Enter a redemption code')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Get a code' })).toHaveCount(0)
  await page.getByLabel('Redemption code').fill('no such code')
  await page.getByRole('button', { name: 'Redeem', exact: true }).click()
  await expectToast(page, 'Redemption failed: the code does not exist')
  const [key = ''] = dataOf(await fixture.root.post('/api/redemption', { name: 'gift', quota: 750_000 }))
  await page.getByLabel('Redemption code').fill(` ${key} `)
  await page.getByRole('button', { name: 'Redeem', exact: true }).click()
  const redeemed = page.getByRole('dialog', { name: 'Redeemed' })
  await expect(redeemed).toContainText('$1.50 was added to your balance')
  await redeemed.getByRole('button', { name: 'Close' }).click()
  const balance = page.getByRole('region', { name: 'Current balance' })
  await expect(balance).toContainText('$3.50')
  await expect(last).toContainText('Redeemed $1.500000, code ID')

  for (const [name, value] of Object.entries({
    ServerAddress: fixture.url,
    PayAddress: epay.url,
    EpayId: epay.pid,
    EpayKey: epay.key,
    MinTopUp: '3',
    TopUpLink: 'https://shop.example/codes',
  }))
    await option(name, value)
  const methods = fixture.inner.settings.get('PayMethods')
  await option('PayMethods', '[]')
  await page.reload()
  await expect(page.getByText('The payment methods are misconfigured. Contact the administrator.')).toBeVisible()
  await context.route('https://shop.example/**', (route) => route.fulfill({ body: 'A shop' }))
  const shop = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Get a code' }).click()
  await expect(await shop).toHaveURL('https://shop.example/codes')
  await (await shop).close()
  await option('PayMethods', JSON.stringify(methods))
  // Three dollars, as quota because no currency is shown.
  await option('DisplayInCurrencyEnabled', 'false')
  const { promise: isShown, resolve: letCome } = Promise.withResolvers<void>()
  await page.route('**/api/status', async (route) => {
    await isShown
    await route.continue()
  })
  await page.reload()
  // The unit of the last visit is used until the status is loaded; the amount follows the new one.
  await expect(page.getByLabel('Amount in US dollars')).toHaveValue('3')
  letCome()
  await expect(page.getByLabel('Amount in quota')).toHaveValue('1500000')
  await page.unroute('**/api/status')
  await expect(page.getByText('To pay: ¥21.90')).toBeVisible()
  await option('DisplayInCurrencyEnabled', 'true')
  await page.reload()
  const amount = page.getByLabel('Amount in US dollars')
  await expect(page.getByText('To pay: ¥21.90')).toBeVisible()
  await amount.fill('1')
  await amount.press('ArrowDown')
  await expect(amount).toHaveValue('1')
  await amount.fill('2')
  await page.getByRole('button', { name: 'Alipay' }).click()
  await expect(page.getByText('The amount must not be less than 3')).toBeVisible()
  await refusesWith(/\/api\/user\/amount$/, 'This group buys nothing today')(page)
  await page.getByRole('button', { name: '$5', exact: true }).click()
  await expect(amount).toHaveAccessibleDescription('This group buys nothing today')
  await page.unroute(/\/api\/user\/amount$/)
  await page.getByRole('button', { name: '$10', exact: true }).click()
  await expect(page.getByText('To pay: ¥73.00')).toBeVisible()
  await page.getByRole('button', { name: 'Alipay' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm the payment' })
  await expect(dialog).toContainText(/You get\s*\$10.*You pay\s*¥73\.00.*With\s*Alipay/s)
  const cashier = context.waitForEvent('page')
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  // The gateway's page has posted its form: the provider has accepted it.
  const provider = await cashier
  await expect(provider.getByRole('heading')).toHaveText('Pay 73.00')
  expect(provider.url()).toBe(`${epay.url}/submit.php`)
  const [form = {}] = epay.taken.values()
  const waiting = page.getByRole('dialog', { name: 'Waiting for the payment' })
  await expect(waiting).toContainText(`Order ${form.out_trade_no}: the payment of ¥73.00 has not been confirmed yet`)
  expect(await epay.tells(form)).toBe('success')
  await expect(waiting).toContainText('$10.00 was added to your balance')
  await waiting.getByRole('button', { name: 'Close' }).click()
  await expect(balance).toContainText('$13.50')
  const order = page.getByRole('region', { name: 'My orders' }).locator('tbody tr')
  await expect(order).toContainText(/Paid.*\$10\.00.*¥73\.00.*Alipay/s)
  expect(await balanceOf(bob)).toBe(6_750_000)

  // A user redirected back sees the order's state, and the address is cleaned.
  await provider.goto(`${form.return_url}?${epay.notice(form)}`)
  await expect(provider.getByText(`Order ${form.out_trade_no} was paid`)).toBeVisible()
  await expect.poll(() => provider.url()).not.toContain('sign')
  expect(troubles).toEqual([])

  const admin = await browser.newContext()
  const desktop = await admin.newPage()
  const waits = dataOf(await bob.post('/api/user/pay', { amount: 5, payment_method: 'wx' }))
  await signIn(desktop, fixture.url, '/redemption?tab=orders')
  await expect(desktop.getByText('Rows 1 - 2 of 2')).toBeVisible()
  await desktop.getByLabel('Status').selectOption('Pending')
  await expect(desktop.locator('tbody tr')).toHaveCount(1)
  await choose(desktop, `the order ${waits.out_trade_no}`, 'Credit by hand')
  await confirm(desktop, 'Credit the order of bob?', 'Credit by hand')
  await expectToast(desktop, 'The order was credited')
  await expect(desktop.getByText('No matching orders')).toBeVisible()
  await desktop.getByRole('button', { name: 'Clear filters' }).click()
  await expect(desktop.getByText('Rows 1 - 2 of 2')).toBeVisible()
  await expect(desktop.getByLabel('Status')).toHaveValue('')
  await admin.close()
  expect(await balanceOf(bob)).toBe(9_250_000)
})
