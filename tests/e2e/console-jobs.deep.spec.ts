import { expect } from '@playwright/test'
import { chatAnswer } from '../support/chat.ts'
import { aClock } from '../support/clock.ts'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  // Fixed, so that the ten seconds before a job may be started again do not pass.
  vendor = await servedVendor({ clock: aClock(Date.now()) })
  await vendor.channel()
  await vendor.person('ann')
})
test.afterAll(() => vendor.stop())

test('a job is started, is shown as running, and reports its result (docs/reference/screens.md#background-jobs)', async ({
  page,
}) => {
  await signIn(page, vendor.url, '/setting')
  await page.getByRole('navigation', { name: 'Related pages' }).getByRole('link', { name: 'Background jobs' }).click()
  const tests = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Test of all channels' }) })
  await expect(tests).toContainText('Not run yet')
  await expect(tests).toContainText('On demand only')
  const check = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Ledger check' }) })
  await expect(check).toContainText('Every night')
  const balances = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Update of all balances' }) })
  const until = Math.floor(Date.now() / 1000) + 600
  await vendor.inner.db.insertInto('locks').values({ name: 'channel-balances', owner: 'another node', until }).execute()
  await expect(balances).toContainText('Running on another node')
  await expect(balances.getByRole('button')).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  const answer = Promise.withResolvers<void>()
  vendor.upstream.answers(async () => {
    await answer.promise
    return { body: chatAnswer('ok', { prompt: 1, completion: 1 }) }
  })
  await tests.getByRole('button', { name: 'Run now: Test of all channels' }).click()
  await expect(page.getByText('Started: Test of all channels')).toBeVisible()
  await expect(tests).toContainText(/Running.*by root/)
  await expect(tests.getByRole('button')).toBeDisabled()
  answer.resolve()
  await expect(tests).toContainText('Channels tested: 1')
  // A job that has just run cannot be started again at once.
  const sessions = page.getByRole('button', { name: 'Run now: Expired sessions' })
  await sessions.click()
  await expect(page.getByText('Started: Expired sessions')).toBeVisible()
  await expect(sessions).toBeEnabled()
  await sessions.click()
  await expect(page.getByText(/This job was started a moment ago\. Try again in \d+ s\./)).toBeVisible()
  await page.goto(`${vendor.url}/log?type=3`)
  await expect(page.getByText('Started background job “Test of all channels”').first()).toBeVisible()
})

test('a user who is not an administrator neither finds nor sees the jobs', async ({ page }) => {
  await holdSession(page.context(), vendor.url, 'ann')
  await page.goto(`${vendor.url}/jobs`)
  await expect(page).toHaveURL(`${vendor.url}/detail`)
  await expect(page.getByRole('navigation', { name: 'Menu' })).not.toContainText('Background jobs')
})

test('the page shows why it has neither backups nor nodes, and loads them on request', async ({ page }) => {
  await signIn(page, vendor.url)
  let isBroken = true
  await page.route('**/api/node', (route) => (isBroken ? route.fulfill({ status: 500, body: '' }) : route.fallback()))
  await page.goto(`${vendor.url}/jobs`)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  isBroken = false
  await again.click()
  await expect(page.getByRole('button', { name: 'Back up now' })).toBeVisible()
})
