import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { panelOf, rowsOf, store, storedMap } from './price-acts.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
  await store(vendor, 'GroupGroupRatio', {})
})
test.afterEach(() => vendor.stop())

test('a group in use does not vanish unnoticed, from the list nor from its JSON', async ({ page }) => {
  await vendor.channel({ group: 'default,vip' })
  await signIn(page, vendor.url, '/setting?tab=operation')
  const panel = panelOf(page, 'groups')
  await expect(panel.getByText('1 channel', { exact: true })).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Delete default' })).toHaveCount(0)
  await panel.getByRole('button', { name: 'Delete vip' }).click()
  await panel.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove groups that are in use?' })
  await expect(question).toContainText('vip: 1 channel')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  expect(await storedMap(vendor, 'GroupRatio')).toHaveProperty('vip')
  await panel.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('tab', { name: 'JSON' }).click()
  const ratios = panel.getByLabel('Group ratio', { exact: true })
  await ratios.fill('{"default": 1,\n"a,b": 1}')
  await ratios.blur()
  await expect(panel.getByText(/cannot be empty or contain a comma: a,b \(line 3, column 3\)/)).toBeVisible()
  await ratios.fill('{"default": 1}')
  await panel.getByRole('button', { name: 'Save' }).click()
  await question.getByRole('button', { name: 'Remove and save' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(question).toHaveCount(0)
  expect(await storedMap(vendor, 'GroupRatio')).toEqual({ default: 1 })
  await page.getByRole('tab', { name: 'Groups', exact: true }).click()
  await expect(rowsOf(panel).filter({ hasText: 'vip' })).toContainText('No ratio')
})
