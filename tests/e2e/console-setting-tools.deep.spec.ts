import { expect, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { aMailBox, aStandIn, type StandIn } from './stand-ins.ts'
import { signIn, tick } from './visitor.ts'

let vendor: ServedVendor
const standIns: StandIn[] = []
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(async () => {
  await vendor.stop()
  for (const one of standIns.splice(0)) await one.stop()
})

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const set = async (key: string, value: unknown) => dataOf(await vendor.root.put('/api/option', { key, value }))
const inForce = (key: Parameters<typeof vendor.inner.settings.get>[0]) => vendor.inner.settings.get(key)
async function standing<T extends StandIn>(one: Promise<T>): Promise<T> {
  const server = await one
  standIns.push(server)
  return server
}

const document = {
  authorization_endpoint: 'https://id.example/authorize',
  token_endpoint: 'https://id.example/token',
  userinfo_endpoint: 'https://id.example/userinfo',
}

test('saving a Well-Known URL fills in the three endpoints; errors are shown at its field', async ({ page }) => {
  const provider = await standing(aStandIn((_, path) => (path === '/well-known' ? document : undefined)))
  await signIn(page, vendor.url, '/setting?tab=system')
  const oidc = panelOf(page, 'OIDC')
  await expect(oidc.getByText(`${vendor.url}/oauth/oidc`)).toBeVisible()
  const url = oidc.getByLabel('Well-Known URL', { exact: true })
  await url.fill('ftp://id.example')
  await oidc.getByRole('button', { name: 'Save OIDC' }).click()
  await expect(oidc.getByText('Well-Known URL must start with http:// or https://')).toBeVisible()
  await expect(url).toBeFocused()
  await url.fill(`${provider.url}/elsewhere`)
  await oidc.getByRole('button', { name: 'Save OIDC' }).click()
  await expect(oidc.getByText('Failed to fetch OIDC configuration, check network and Well-Known URL')).toBeVisible()
  expect(inForce('oidc.well_known')).toBe('')
  await url.fill(`${provider.url}/well-known`)
  await oidc.getByRole('button', { name: 'Save OIDC' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  await expect(oidc.getByLabel('Token endpoint', { exact: true })).toHaveValue('https://id.example/token')
  expect(inForce('oidc.authorization_endpoint')).toBe('https://id.example/authorize')
  expect(inForce('oidc.user_info_endpoint')).toBe('https://id.example/userinfo')
  await oidc.getByLabel('Token endpoint', { exact: true }).fill('https://id.example/other')
  await oidc.getByRole('button', { name: 'Fetch endpoints' }).click()
  await expect(oidc.getByLabel('Token endpoint', { exact: true })).toHaveValue('https://id.example/token')
})

test('a test mail shows the server’s reply, and waits for unsaved changes', async ({ page }) => {
  const box = await standing(aMailBox())
  for (const [key, value] of [
    ['SMTPServer', '127.0.0.1'],
    ['SMTPPort', box.port],
    ['SMTPFrom', 'gateway@example.com'],
  ] as const)
    await set(key, value)
  await signIn(page, vendor.url, '/setting?tab=system')
  const smtp = panelOf(page, 'SMTP')
  const button = smtp.getByRole('button', { name: 'Send test email' })
  await smtp.getByLabel('Recipient', { exact: true }).fill('someone@example.org')
  await smtp.getByLabel('SMTP account', { exact: true }).fill('changed')
  await expect(button).toBeDisabled()
  await expect(smtp.getByText('Save your changes first')).toBeVisible()
  await smtp.getByRole('button', { name: 'Discard changes in SMTP' }).click()
  await button.click()
  await expect(smtp.getByText(/Email sent to someone@example\.org\. The mail server responded: 250/)).toBeVisible()
  expect(box.asked.join()).toContain('This is a test email')
  await smtp.getByLabel('Recipient', { exact: true }).fill('nobody@example.org')
  await button.click()
  await expect(smtp.getByText(/The mail server rejected the email: 550 .*No such mailbox here/)).toBeVisible()
})

test('the worker is tested by one fetch, and its key is saved with its address', async ({ page }) => {
  const worker = await standing(aStandIn(() => ({ hello: 'there' })))
  await set('WorkerUrl', worker.url)
  await set('WorkerValidKey', 'its-key')
  await signIn(page, vendor.url, '/setting?tab=system')
  const panel = panelOf(page, 'Proxy worker')
  await panel.getByRole('button', { name: 'Test worker' }).click()
  await expect(panel.getByText('Fetched https://example.com/ through the worker: 17 bytes')).toBeVisible()
  expect(worker.asked).toEqual([JSON.stringify({ url: 'https://example.com/', key: 'its-key' })])
  await panel.getByLabel('Worker address', { exact: true }).fill('')
  await panel.getByRole('button', { name: 'Save Proxy worker' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  expect([inForce('WorkerUrl'), inForce('WorkerValidKey')]).toEqual(['', ''])
  await panel.getByRole('button', { name: 'Test worker' }).click()
  await expect(panel.getByText('Enter and save the worker address first')).toBeVisible()
})

test('the check for updates shows where its address is set, and shows a newer release sanitized', async ({ page }) => {
  const release = {
    tag_name: 'v99.0.0',
    body: '# New\n\n<img src=x alt="A chart" onerror="alert(1)"> Faster',
    html_url: 'https://example.com/r',
  }
  const feed = await standing(aStandIn(() => release))
  await signIn(page, vendor.url, '/setting?tab=other')
  const panel = panelOf(page, 'System information')
  await panel.getByRole('button', { name: 'Check for updates' }).click()
  await expect(panel.getByLabel('Release address', { exact: true })).toBeFocused()
  await panel.getByLabel('Release address', { exact: true }).fill(feed.url)
  await panel.getByRole('button', { name: 'Save System information' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  await panel.getByRole('button', { name: 'Check for updates' }).click()
  const dialog = page.getByRole('dialog', { name: 'New release v99.0.0' })
  await expect(dialog.getByRole('heading', { name: 'New', exact: true })).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Details' })).toHaveAttribute('href', 'https://example.com/r')
  await expect(dialog.locator('[onerror]')).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  release.tag_name = dataOf(await vendor.root.get('/api/status')).version
  await panel.getByRole('button', { name: 'Check for updates' }).click()
  await expect(panel.getByText(`Already the latest version: ${release.tag_name}`)).toBeVisible()
  await feed.stop()
  await panel.getByRole('button', { name: 'Check for updates' }).click()
  await expect(panel.getByText('Failed to check for updates, try again later')).toBeVisible()
})

test('the log is cleaned up until a chosen time, after a confirmation of the rows to delete', async ({ page }) => {
  const { db } = vendor.inner
  const row = { user_id: 1, created_at: 1_600_000_000, type: 2 }
  await db
    .insertInto('logs')
    .values(Array.from({ length: 1200 }, () => row))
    .execute()
  await signIn(page, vendor.url, '/setting')
  const panel = panelOf(page, 'Log')
  const before = panel.getByLabel('Before', { exact: true })
  const aMonthAgo = new Date()
  // Months differ in length, so the last day of one may not exist in the month before.
  aMonthAgo.setDate(1)
  aMonthAgo.setMonth(aMonthAgo.getMonth() - 1)
  await expect(before).toHaveValue(
    new RegExp(`^${aMonthAgo.getFullYear()}-${String(aMonthAgo.getMonth() + 1).padStart(2, '0')}`),
  )
  await before.fill('')
  await panel.getByRole('button', { name: 'Remove entries' }).click()
  await expect(panel.getByText('Please select the log record time')).toBeVisible()
  await before.fill('2021-01-01T00:00')
  await panel.getByRole('button', { name: 'Remove entries' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove 1,200 log entries?' })
  await expect(question).toContainText('before 2021-01-01 00:00:00')
  await question.getByRole('button', { name: 'Remove entries' }).click()
  await expect(panel.getByText('1,200 logs cleaned up')).toBeVisible()
  await panel.getByRole('button', { name: 'Remove entries' }).click()
  await expect(panel.getByText('There are no log entries before this time.')).toBeVisible()
})

test('a clean-up shows its progress, and can be stopped', async ({ page }) => {
  const row = { user_id: 1, created_at: 1_600_000_000, type: 2 }
  await vendor.inner.db.insertInto('logs').values([row, row, row, row]).execute()
  await signIn(page, vendor.url, '/setting')
  await page.route(/\/api\/log\?/, (route) => (route.request().method() === 'DELETE' ? undefined : route.fallback()))
  await page.route(/\/api\/log\/clearing\?target_timestamp=0$/, (route) => {
    const data = { total: 0, has_more: false, running: { before: 1_610_000_000, removed: 3 } }
    return route.fulfill({ json: { success: true, message: '', data } })
  })
  const panel = panelOf(page, 'Log')
  await panel.getByLabel('Before', { exact: true }).fill('2021-01-01T00:00')
  await panel.getByRole('button', { name: 'Remove entries' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove entries' }).click()
  await expect(panel.getByText('3 of 4 removed')).toBeVisible()
  await expect(panel.getByRole('progressbar', { name: 'Remove old log entries' })).toHaveAttribute(
    'aria-valuenow',
    '75',
  )
  await panel.getByRole('button', { name: 'Stop' }).click()
  await expect(panel.getByText('Stopped. Entries that were already removed')).toBeVisible()
  await expect(panel.getByRole('progressbar')).toHaveCount(0)
})

test('domains are added one by one, by Enter, each once and in the right form, and saved together', async ({
  page,
}) => {
  await set('EmailDomainWhitelist', 'one.example')
  await signIn(page, vendor.url, '/setting?tab=system')
  const panel = panelOf(page, 'Email domain whitelist')
  const box = panel.getByRole('textbox', { name: 'Add domain' })
  await box.fill('not a domain')
  await box.press('Enter')
  await expect(panel.getByText('Invalid email domain format, enter a valid domain such as example.com')).toBeVisible()
  await box.fill('ONE.example')
  await box.press('Enter')
  await expect(panel.getByText('This domain already exists in the whitelist')).toBeVisible()
  await box.fill('two.example')
  await box.press('Enter')
  await expect(page.getByText('Added to whitelist')).toBeVisible()
  await expect(box).toHaveValue('')
  expect(inForce('EmailDomainWhitelist')).toBe('one.example')
  await panel.getByRole('button', { name: 'Remove “one.example”' }).click()
  await box.fill('three.example')
  await panel.getByRole('button', { name: 'Add domain' }).click()
  await tick(panel.getByLabel('Email alias restriction', { exact: true }))
  await panel.getByRole('button', { name: 'Save Email domain whitelist' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  expect(inForce('EmailDomainWhitelist')).toBe('two.example,three.example')
  expect(inForce('EmailAliasRestrictionEnabled')).toBe(true)
})
