import { expect } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { callRelay, chatBody } from '../support/relay-client.ts'
import { expectAccessible } from './accessible.ts'
import { choose } from './channel-desk.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, textOf } from './visitor.ts'

let desk: ServedVendor
test.beforeEach(async () => {
  desk = await servedVendor()
  await desk.channel({ models: 'gpt-4o' })
})
test.afterEach(() => desk.stop())

const asks = async (key: string) =>
  (await callRelay(`${desk.url}/v1/chat/completions`, chatBody('gpt-4o', 'hi', {}), { key })).status
const keyIn = /sk-(\w{48})/

test('a new key is asked for, shown, and the only one from then on', async ({ page }) => {
  const { key } = dataOf(await desk.root.post('/api/token', { name: 'laptop', unlimited_quota: true }))
  expect(await asks(key)).toBe(200)
  await signIn(page, desk.url)
  await choose(page, 'laptop', 'New key…')
  const question = page.getByRole('alertdialog', { name: 'Replace the key of “laptop”?' })
  await expect(question).toContainText('refused immediately')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await asks(key)).toBe(200)
  await choose(page, 'laptop', 'New key…')
  await question.getByRole('button', { name: 'Replace key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New key of laptop' })
  const [, shown = ''] = keyIn.exec(await textOf(dialog, keyIn)) ?? []
  await expectAccessible(page)
  // A phone that is turned round shows cards instead of a table, and the dialog all the same.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(dialog).toContainText(shown)
  expect(shown).not.toBe(key)
  expect([await asks(key), await asks(shown)]).toEqual([401, 200])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('table')).toHaveCount(0)
  await page.setViewportSize({ width: 1280, height: 844 })
  await expect(page.getByRole('row', { name: 'laptop' })).toContainText(`sk-${shown.slice(0, 4)}…`)
})
