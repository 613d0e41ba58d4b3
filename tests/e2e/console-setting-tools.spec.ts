import { expect, type Page } from '@playwright/test'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import type { StandIn } from './stand-ins.ts'
import { signIn } from './visitor.ts'

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

test('the log is cleaned up until a chosen time, after a question that says what goes', async ({ page }) => {
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
  // Months differ in length, and the last day of one is in the month before as well.
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
