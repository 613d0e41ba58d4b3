import { expect, type Page, test } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { signIn, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const put = async (key: string, value: string) => void dataOf(await vendor.root.put('/api/option', { key, value }))

test('domains are taken from a list by Enter and Space on their crosses, and the next cross has the focus', async ({
  page,
}) => {
  await put('EmailDomainWhitelist', 'one.example,two.example,three.example')
  await signIn(page, vendor.url, '/setting?tab=system')
  const panel = panelOf(page, 'Email domain whitelist')
  const crossOf = (name: string) => page.getByRole('button', { name: `Remove “${name}”` })
  await crossOf('two.example').press('Enter')
  await expect(crossOf('two.example')).toHaveCount(0)
  await expect(crossOf('three.example')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(panel.getByRole('textbox')).toBeFocused()
  await crossOf('one.example').press('Space')
  await expect(panel.getByRole('listitem')).toHaveCount(0)
})

test('chats are moved and removed by keyboard: the focus goes along, and the new place is said', async ({ page }) => {
  const troubles = troublesOf(page)
  const chats = ['One', 'Two', 'Three'].map((name) => ({ [name]: `https://${name.toLowerCase()}.example/` }))
  await put('Chats', JSON.stringify(chats))
  await signIn(page, vendor.url, '/setting')
  const panel = panelOf(page, 'Chats')
  const names = async () =>
    Promise.all((await panel.getByRole('textbox', { name: /^Name of chat/ }).all()).map((field) => field.inputValue()))
  await panel.getByRole('button', { name: 'Move Three up' }).press('Enter')
  await expect(panel.getByRole('button', { name: 'Move Three up' })).toBeFocused()
  await expect(panel.getByRole('status').filter({ hasText: 'Three is now chat 2 of 3' })).toBeAttached()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: 'Move Three down' })).toBeFocused()
  expect(await names()).toEqual(['Three', 'One', 'Two'])
  await panel.getByRole('button', { name: 'Remove Three' }).press('Enter')
  await expect(panel.getByLabel('Name of chat 1')).toBeFocused()
  await panel.getByRole('button', { name: 'Remove Two' }).press('Enter')
  await expect(panel.getByRole('button', { name: 'Add chat' })).toBeFocused()
  expect(await names()).toEqual(['One'])
  expect(troubles).toEqual([])
})
