import { expect, type Page } from '@playwright/test'
import { type Client, dataOf } from '../support/client.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { pressEscape, signIn, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const put = async (who: Client, key: string, value: unknown) =>
  void dataOf(await who.put('/api/option', { key, value }))

async function operator(username: string): Promise<Client> {
  const who = await vendor.person(username)
  await vendor.inner.db.updateTable('users').set({ role: 10 }).where('username', '=', username).execute()
  return who
}

const drawer = (page: Page, name: string) => page.getByRole('dialog', { name })
const rowsIn = (page: Page) =>
  drawer(page, 'Settings history').getByRole('table').first().locator(':scope > tbody > tr')

test('the history shows the author and both values of each change, and one change is undone', async ({ page }) => {
  const troubles = troublesOf(page)
  const alice = await operator('alice')
  await put(alice, 'GroupRatio', '{"default":1,"vip":0.5}')
  await put(alice, 'TurnstileSecretKey', 'canary')
  await put(vendor.root, 'RetryTimes', 5)
  await signIn(page, vendor.url, '/setting')
  await page.getByRole('button', { name: 'History' }).click()
  await expect(page).toHaveURL(/history=all/)
  const row = (place: number) => rowsIn(page).nth(place)
  const [retries, secret, groups] = [row(0), row(1), row(2)] as const
  for (const text of ['Retries on failure', '2 → 5', 'root']) await expect(retries).toContainText(text)
  for (const text of ['TurnstileSecretKey', 'Secret set', 'alice']) await expect(secret).toContainText(text)
  await expect(secret.getByRole('button', { name: /Undo/ })).toHaveCount(0)
  await expect(page.locator('body')).not.toContainText('canary')
  await groups.getByRole('button', { name: 'Details of Group ratio' }).click()
  await expect(page.getByRole('row', { name: 'vip 1 0.5', exact: true })).toBeVisible()
  await expect(page.getByRole('row', { name: 'svip 1 not present', exact: true })).toBeVisible()
  await retries.getByRole('button', { name: /^Undo this change of Retries on failure, .*\d\d:\d\d/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The change of “Retries on failure” was undone')).toBeVisible()
  await expect(rowsIn(page).first()).toContainText('5 → 2')
  await expect(rowsIn(page).first()).toContainText('Undo of a change')
  await pressEscape(page)
  await expect(drawer(page, 'Settings history')).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Retries on failure' })).toHaveValue('2')
  await expect(page.getByRole('button', { name: 'History' })).toBeFocused()
  expect(troubles).toEqual([])
})
