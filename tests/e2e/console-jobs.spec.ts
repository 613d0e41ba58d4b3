import { expect } from '@playwright/test'
import { chatAnswer } from '../support/chat.ts'
import { PASSWORD } from '../support/world.ts'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel()
  await vendor.person('ann')
})
test.afterAll(() => vendor.stop())

test('a job is run now, is seen running, and tells what came of it (docs/reference/screens.md#background-jobs)', async ({
  page,
}) => {
  await signIn(page, vendor.url)
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Background jobs' }).click()
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
  // What was done a moment ago is not done again at once.
  const sessions = page.getByRole('button', { name: 'Run now: Expired sessions' })
  await sessions.click()
  await expect(page.getByText('Started: Expired sessions')).toBeVisible()
  await expect(sessions).toBeEnabled()
  await sessions.click()
  await expect(page.getByText(/This job was started a moment ago\. Try again in \d+ s\./)).toBeVisible()
  await page.goto(`${vendor.url}/log?type=3`)
  await expect(page.getByText('Started background job “Test of all channels”').first()).toBeVisible()
})

test('root backs up, exports the key, has a backup restored at the next start, and thinks better of it', async ({
  page,
}) => {
  await signIn(page, vendor.url)
  await page.goto(`${vendor.url}/jobs`)
  const list = page.getByRole('list', { name: 'Backups' })
  await page.getByRole('button', { name: 'Back up now' }).click()
  await expect(page.getByText(/^Backup made: switchyard-/)).toBeVisible()
  const one = list.getByRole('listitem').first()
  await expect(one).toContainText('Verified')
  await expect(one).toContainText('by hand')
  await page.getByRole('button', { name: 'Export data key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Passphrase', { exact: true }).fill('too short')
  await dialog.getByRole('button', { name: 'Save key file' }).click()
  await expect(dialog).toContainText('Enter at least 12 characters')
  await dialog.getByLabel('Your password').fill('not my password')
  await dialog.getByLabel('Passphrase', { exact: true }).fill('correct horse battery')
  await dialog.getByLabel('Passphrase again').fill('correct horse battery')
  await dialog.getByRole('button', { name: 'Save key file' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save key file' }).click()
  expect((await download).suggestedFilename()).toMatch(/^switchyard-key-[0-9a-f]{8}\.json$/)
  await expect(dialog).toBeHidden()
  await one.getByRole('button', { name: /^Restore the backup of/ }).click()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Restore at next start' }).click()
  await expect(page.getByText('A backup will be restored at the next start')).toBeVisible()
  await page.getByRole('button', { name: 'Keep the database' }).click()
  await expect(page.getByText('A backup will be restored at the next start')).toBeHidden()
  await one.getByRole('button', { name: /^Delete the backup of/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('There are no backups yet.')).toBeVisible()
})
