import { expect } from '@playwright/test'
import { applies, panelOf, store, storedMap } from './price-acts.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { showTenRows, signIn, tick, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async ({ page }) => {
  await showTenRows(page)
  vendor = await servedVendor()
  await store(vendor, 'GroupGroupRatio', {})
})
test.afterEach(() => vendor.stop())

test('groups get ratios, descriptions, their position in the order of auto and ratio overrides', async ({ page }) => {
  const troubles = troublesOf(page)
  await signIn(page, vendor.url, '/setting?tab=operation')
  const panel = panelOf(page, 'groups')
  await panel.getByRole('textbox', { name: 'New group' }).fill('vip')
  await panel.getByRole('textbox', { name: 'New group' }).press('Enter')
  await expect(panel.getByText('This group already exists')).toBeVisible()
  await panel.getByRole('textbox', { name: 'New group' }).fill('team')
  await panel.getByRole('textbox', { name: 'New group' }).press('Enter')
  await panel.getByLabel('Ratio of team').fill('0')
  await tick(panel.getByRole('checkbox', { name: 'Users can choose team' }))
  await panel.getByLabel('Description of team').fill('for the team')
  await tick(panel.getByRole('checkbox', { name: 'auto tries team' }))
  await panel.getByRole('button', { name: 'Move team up' }).click()
  await panel.getByRole('button', { name: 'Add ratio override' }).click()
  await panel.getByLabel('Accounts in, row 1').selectOption('vip')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('please check the input')).toBeVisible()
  await panel.getByLabel('Group they use, row 1').selectOption('team')
  await panel.getByLabel('Ratio, row 1').fill('0.5')
  await tick(panel.getByRole('checkbox', { name: 'Use auto by default' }))
  // Another client changes another group.
  await store(vendor, 'GroupRatio', { default: 2, vip: 1, svip: 1 })
  await applies(page, panel, 'Save Groups')
  expect(await storedMap(vendor, 'GroupRatio')).toEqual({ default: 2, vip: 1, svip: 1, team: 0 })
  expect(await storedMap(vendor, 'UserUsableGroups')).toMatchObject({ team: 'for the team' })
  expect(await storedMap(vendor, 'AutoGroups')).toEqual(['team', 'default'])
  expect(await storedMap(vendor, 'GroupGroupRatio')).toEqual({ vip: { team: 0.5 } })
  expect(await storedMap(vendor, 'DefaultUseAutoGroup')).toBe(true)
  await expect(panel.getByText(/unsaved change/)).toHaveCount(0)
  // With many groups, the page with the new or the invalid one is shown. An empty override is ignored.
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`x${10 + n}`, 1]))
  await store(vendor, 'GroupRatio', { default: 1, ...many })
  await page.reload()
  await panel.getByRole('textbox', { name: 'New group' }).fill('x99')
  await panel.getByRole('textbox', { name: 'New group' }).press('Enter')
  await panel.getByLabel('Ratio of x99').fill('much')
  await panel.getByRole('button', { name: 'Add ratio override' }).click()
  await panel.getByRole('button', { name: 'Previous page' }).click()
  await expect(panel.getByLabel('Ratio of x99')).toHaveCount(0)
  await panel.getByRole('button', { name: 'Save Groups', exact: true }).click()
  await expect(panel.getByLabel('Ratio of x99')).toBeFocused()
  await expect(panel.getByLabel('Ratio of x99')).toHaveAccessibleDescription('Please enter a number')
  await panel.getByLabel('Ratio of x99').fill('3')
  await applies(page, panel, 'Save Groups')
  expect(await storedMap(vendor, 'GroupRatio')).toMatchObject({ x99: 3 })
  expect(troubles).toEqual([])
})
