import { expect, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { goesOn } from './stub-ledger.ts'
import { tells } from './stub-routing.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

async function openLedger(page: Page): Promise<void> {
  await signIn(page, vendor.url, '/ledger')
  await expect(page.getByRole('heading', { level: 1, name: 'Ledger check' })).toBeVisible()
}

test('a difference is shown with both figures until an administrator acknowledges it; no balance changes', async ({
  page,
}) => {
  await vendor.person('alice')
  const { db } = vendor.inner
  const quotaOfAlice = async () =>
    (await db.selectFrom('users').select('quota').where('username', '=', 'alice').executeTakeFirstOrThrow()).quota
  await db.updateTable('users').set({ quota: 1_000_007 }).where('username', '=', 'alice').execute()
  await openLedger(page)
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('1 value differs from the ledger.')).toBeVisible()
  const row = page.getByRole('table', { name: 'Differences' }).locator('tbody tr')
  for (const text of ['User alice', 'Quota', '1,000,007', '1,000,000', '7']) await expect(row).toContainText(text)
  await row.getByRole('button', { name: /Acknowledge the difference of User alice/ }).click()
  const dialog = page.getByRole('alertdialog', { name: /Acknowledge the difference of User alice/ })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(row).toHaveCount(0)
  await expect(page.getByText('All differences have been acknowledged.')).toBeVisible()
  expect(await quotaOfAlice()).toBe(1_000_007)
})

test('retention can be seen, changed and applied at once; a wrong number is reported at its field', async ({
  page,
}) => {
  await openLedger(page)
  const days = page.getByLabel('Keep usage log entries (days)')
  await expect(days).toHaveValue('365')
  const charges = page.getByLabel('Keep individual charges in the ledger (days)')
  await charges.fill('30')
  await expect(page.getByText('Enter 0 to keep all charges, or at least 62 days')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(charges).toBeFocused()
  await charges.fill('90')
  await days.fill('30')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved')).toBeVisible()
  const kept = dataOf(await vendor.root.get('/api/option')) as { key: string; value: string }[]
  const valueIn = (key: string) => kept.find((one) => one.key === key)?.value
  expect([valueIn('LogRetentionDays'), valueIn('LedgerRetentionDays')]).toEqual(['30', '90'])
  await vendor.inner.ledger.flush()
  await vendor.inner.db.updateTable('logs').set({ created_at: 1_600_000_000 }).execute()
  await page.getByRole('button', { name: 'Clean up now' }).click()
  await expect(page.getByText(/Last cleanup: [1-9]\d* log entries and 0 charges removed/)).toBeVisible()
})

test('a running check shows its progress and can be cancelled', async ({ page }) => {
  await tells(/\/api\/ledger$/, goesOn)(page)
  await openLedger(page)
  const running = page.getByRole('region', { name: 'Checking all entries' })
  await expect(running).toContainText('1,204,000 ledger entries added up · 0 accounts compared')
  await expect(page.getByRole('button', { name: 'Check now' })).toBeDisabled()
  const cancelled = page.waitForRequest(
    (request) => request.method() === 'DELETE' && request.url().endsWith('/api/ledger/check'),
  )
  await running.getByRole('button', { name: 'Cancel check' }).click()
  await cancelled
})

test('a page that cannot be loaded shows the reason and tries again', async ({ page }) => {
  await page.route('**/api/ledger', (route) => route.fulfill({ status: 503, body: '' }))
  await signIn(page, vendor.url, '/ledger')
  await expect(page.getByText('Could not load')).toBeVisible()
  await page.unroute('**/api/ledger')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('All balances match the ledger.')).toBeVisible()
})

test('only administrators are led there', async ({ page }) => {
  await vendor.person('alice')
  await page.goto(`${vendor.url}/login`)
  await page.locator('[name=username]').fill('alice')
  await page.locator('[name=password]').fill(ROOT.password)
  await page.locator('form button[type=submit]').click()
  await expect(page).toHaveURL(`${vendor.url}/detail`)
  await expect(page.getByRole('link', { name: 'Ledger check' })).toHaveCount(0)
})

test('a row that stands for many failures shows that in the log, in both languages', async ({ page }) => {
  const other = {
    error_code: 'insufficient_user_quota',
    folded: { count: 1234, first: 1_795_230_000, last: 1_795_230_059 },
  }
  const row = { user_id: 1, created_at: Math.floor(Date.now() / 1000), type: 5, username: 'root', content: 'no quota' }
  await vendor.inner.db
    .insertInto('logs')
    .values({ ...row, model_name: 'gpt-4o', other: JSON.stringify(other) })
    .execute()
  await signIn(page, vendor.url, '/log')
  await page.locator('.page-table [aria-expanded=false]').first().click()
  await expect(page.locator('.log-detail')).toContainText('1234 similar failures')
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'zh-CN'))
  // The row stays open through the address.
  await page.reload()
  await expect(page.locator('.log-detail')).toContainText('1234 次同类失败')
})
