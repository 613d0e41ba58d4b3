import { expect } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { callRelay, chatBody } from '../support/relay-client.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, signIn } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
  const { root } = vendor
  const options = { ModelRatio: '{"gpt-4o":1.25}', KeepBodiesEnabled: 'true' }
  for (const [key, value] of Object.entries(options)) dataOf(await root.put('/api/option', { key, value }))
  await vendor.channel({ name: 'Main account', priority: 10 })
  await vendor.channel({ name: 'Spare account' })
})
test.afterAll(() => vendor.stop())

test('whoever made a call is told that it is kept, and sees it where the operator says so; all are deleted in the settings', async ({
  page,
  browser,
}) => {
  const alice = await vendor.person('alice')
  const { key } = dataOf(await alice.post('/api/token', { name: 'desk', unlimited_quota: true, keep_bodies: true }))
  await callRelay(`${vendor.url}/v1/chat/completions`, chatBody('gpt-4o', 'A quiet question', {}), { key })
  await holdSession(page.context(), vendor.url, 'alice')
  const openRow = async () => {
    await page.goto(`${vendor.url}/log`)
    const row = page.getByRole('row').filter({ hasText: 'desk' }).first()
    await expect(row.getByText('Kept', { exact: true })).toBeVisible()
    await row.locator('[aria-expanded]').click()
  }
  const show = page.getByRole('button', { name: 'Show request and response' })
  await openRow()
  await expect(page.getByText('Only the super administrator can see them.')).toBeVisible()
  await expect(show).toHaveCount(0)

  dataOf(await vendor.root.put('/api/option', { key: 'KeepBodiesViewers', value: 'owner' }))
  await openRow()
  await show.click()
  await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText('A quiet question')
  await expect(page.getByRole('heading', { name: 'Replay on another channel' })).toHaveCount(0)

  const others = await browser.newContext()
  const desk = await others.newPage()
  await signIn(desk, vendor.url, '/setting?tab=operation&key=KeepBodiesEnabled')
  const section = desk.locator('[data-section="operation/bodies"]')
  await expect(section.getByText(/^Requests kept: 1/)).toBeVisible()
  await section.getByRole('button', { name: 'Delete all' }).click()
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Delete all' }).click()
  await expect(section.getByText('Requests and responses deleted: 1')).toBeVisible()
  await others.close()
})
