import { expect } from '@playwright/test'
import { dataOf, signedIn } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { choose } from './channel-fixture.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let gateway: ServedConsole
test.beforeEach(async () => {
  gateway = await readyGateway()
})
test.afterEach(() => gateway.stop())

const columns = ['remain_quota', 'budget_day', 'budget_week', 'requests_per_minute'] as const
const kept = () => gateway.inner.db.selectFrom('tokens').select(columns).executeTakeFirstOrThrow()
const root = () => signedIn(gateway.url, ROOT.username, ROOT.password)

test('amounts are typed in dollars, read to the unit, and in quota once that was chosen', async ({ page }) => {
  const troubles = troublesOf(page)
  // An amount that is not a whole number of cents.
  dataOf(await (await root()).post('/api/token', { name: 'laptop', remain_quota: 575_001, budgets: { week: 7 } }))
  await signIn(page, gateway.url)
  await choose(page, 'laptop', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit laptop' })
  const quota = drawer.getByLabel('Quota', { exact: true })
  const day = drawer.getByLabel('Day', { exact: true })
  const week = drawer.getByLabel('Week', { exact: true })
  await expect(quota).toHaveValue('1.150002')
  await expect(drawer.getByText('Equals 575,001 quota')).toBeVisible()
  await expect(week).toHaveValue('0.000014')
  await expect(day).toHaveValue('')
  await expect(day).toHaveAttribute('placeholder', 'No limit')
  await day.fill('0.0000001')
  await drawer.getByLabel('Requests per minute').fill('60')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(day).toHaveAttribute('aria-invalid', 'true')
  await day.fill('1.15')
  await expectAccessible(page)
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer).toHaveCount(0)
  const saved = { remain_quota: 575_001, budget_day: 575_000, budget_week: 7, requests_per_minute: 60 }
  expect(await kept()).toEqual(saved)

  await choose(page, 'laptop', 'Edit')
  await drawer.getByRole('button', { name: 'Day, unit: US dollars. Switch to quota' }).click()
  await expect(quota).toHaveValue('575001')
  await expect(day).toHaveValue('575000')
  await day.fill('')
  await drawer.getByLabel('Requests per minute').fill('')
  await quota.fill('1,000,003')
  await expect(drawer.getByText('Equals $2.000006')).toBeVisible()
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer).toHaveCount(0)
  expect(await kept()).toEqual({ remain_quota: 1_000_003, budget_day: 0, budget_week: 7, requests_per_minute: 0 })
  await page.reload()
  await choose(page, 'laptop', 'Edit')
  await expect(quota).toHaveValue('1000003')
  expect(troubles).toEqual([])
})

test('where currency is not shown, quota comes first', async ({ page }) => {
  const person = await root()
  dataOf(await person.put('/api/option', { key: 'DisplayInCurrencyEnabled', value: 'false' }))
  dataOf(await person.put('/api/option', { key: 'QuotaPerUnit', value: '3' }))
  await signIn(page, gateway.url)
  await page.getByRole('button', { name: 'Add token' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Add token' })
  const quota = drawer.getByLabel('Quota', { exact: true })
  await expect(quota).toHaveValue('500000')
  await quota.fill('1')
  await drawer.getByRole('button', { name: 'Quota, unit: quota. Switch to US dollars' }).click()
  await expect(quota).toHaveValue('0.33')
  await drawer.getByRole('button', { name: 'Quota, unit: US dollars. Switch to quota' }).click()
  await expect(quota).toHaveValue('1')
})
