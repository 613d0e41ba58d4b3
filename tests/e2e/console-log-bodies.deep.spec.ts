import { expect } from '@playwright/test'
import { chatAnswer } from '../support/chat.ts'
import { dataOf } from '../support/client.ts'
import { callRelay, chatBody } from '../support/relay-client.ts'
import { bottomOf, expectBoxes } from './boxes.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { copiedBy, holdSession, signIn, tick, troublesOf } from './visitor.ts'

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

const newest = async (type: number) => dataOf(await vendor.root.get(`/api/log?type=${type}`)).items[0]

test('a call with stored bodies is marked, shows them on request, and is repeated over another channel (docs/reference/bodies.md)', async ({
  page,
  context,
}) => {
  const troubles = troublesOf(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { key } = dataOf(await vendor.root.post('/api/token', { name: 'laptop', unlimited_quota: true }))
  await signIn(page, vendor.url, '/token')

  await test.step('the owner of a token switches it on, and is informed who could see them', async () => {
    await page.getByRole('button', { name: 'Actions for laptop' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const keeps = page.getByRole('checkbox', { name: 'Store requests and responses' })
    await expect(keeps).toHaveAccessibleDescription(/deleted after 24 h\. Only the super administrator can see them/)
    await tick(keeps)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('row', { name: 'laptop' }).getByText('Requests stored')).toBeVisible()
  })

  await test.step('a call leaves a marked row, and nothing is read before it is requested', async () => {
    vendor.upstream.answers({ body: chatAnswer('from the main account', { prompt: 40, completion: 4 }) })
    await callRelay(`${vendor.url}/v1/chat/completions`, chatBody('gpt-4o', 'Which book?', {}), { key })
    await page.goto(`${vendor.url}/log`)
    const row = page.getByRole('row').filter({ hasText: '#1 Main account' }).first()
    await expect(row.getByText('Stored', { exact: true })).toBeVisible()
    await row.locator('[aria-expanded]').click()
    await expect(page.getByText('Encrypted, and deleted after 24 h.')).toBeVisible()
    const before = await newest(3)
    await page.getByRole('button', { name: 'Show request and response' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText('"content": "Which book?"')
    const copied = await copiedBy(page, page.getByRole('button', { name: 'Copy request', exact: true }))
    expect(JSON.parse(copied)).toEqual(chatBody('gpt-4o', 'Which book?', {}))
    const look = await newest(3)
    expect([look.content.startsWith('root looked at the bodies of request'), look.id === before.id]).toEqual([
      true,
      false,
    ])
  })

  await test.step('it is repeated over the other channel, by keyboard, and both responses are shown side by side', async () => {
    vendor.upstream.answers({ body: chatAnswer('from the spare account', { prompt: 40, completion: 8 }) })
    const picker = page.getByLabel('Channel', { exact: true }).last()
    await expect(picker).toHaveValue('2')
    await picker.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const original = page.getByRole('region', { name: 'Original: #1 Main account' })
    const replay = page.getByRole('region', { name: 'Replay: #2 Spare account' })
    await expect(replay).toContainText('from the spare account')
    for (const text of ['200', '40 prompt, 8 completion', '$0.000180']) await expect(replay).toContainText(text)
    for (const text of ['200', '40 prompt, 4 completion', '$0.000140']) await expect(original).toContainText(text)
    await expect(page.getByText('The replay has ended with status 200')).toBeVisible()
    const charged = await newest(2)
    expect([charged.token_name, charged.quota]).toEqual(['replay-default', 90])
    await expectBoxes([original, replay], (wide, beside) => expect(wide.y).toBe(beside.y))
    await page.setViewportSize({ width: 390, height: 800 })
    await expect(replay).toBeVisible()
    await expectBoxes([original, replay], (narrow, below) => expect(below.y).toBeGreaterThan(bottomOf(narrow) - 1))
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('it is deleted after a confirmation', async () => {
    await page.getByRole('region', { name: 'Request and response' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Request and response deleted')).toBeVisible()
    await page.getByRole('button', { name: 'Show request and response' }).click()
    await expect(page.getByText('No request and response are stored under this request ID.')).toBeVisible()
  })

  await test.step('an administrator switches it on for a channel', async () => {
    await page.goto(`${vendor.url}/channel/edit/2`)
    const keeps = page.getByRole('checkbox', { name: 'Store requests and responses' })
    await page.getByRole('button', { name: /^Extra settings/ }).click()
    await expect(keeps).toHaveAccessibleDescription(/all users send through this channel.*Only the super administrator/)
    await tick(keeps)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => JSON.parse(dataOf(await vendor.root.get('/api/channel/2')).setting || '{}'))
      .toEqual({ keep_bodies: true })
  })
  expect(troubles).toEqual([])
})

test('the caller is informed that a call is stored, and sees it where the operator allows it; all are deleted in the settings', async ({
  page,
  browser,
}) => {
  const alice = await vendor.person('alice')
  const { key } = dataOf(await alice.post('/api/token', { name: 'fixture', unlimited_quota: true, keep_bodies: true }))
  await callRelay(`${vendor.url}/v1/chat/completions`, chatBody('gpt-4o', 'A quiet question', {}), { key })
  await holdSession(page.context(), vendor.url, 'alice')
  const openRow = async () => {
    await page.goto(`${vendor.url}/log`)
    const row = page.getByRole('row').filter({ hasText: 'fixture' }).first()
    await expect(row.getByText('Stored', { exact: true })).toBeVisible()
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
  const fixture = await others.newPage()
  await signIn(fixture, vendor.url, '/setting?tab=operation&key=KeepBodiesEnabled')
  const section = fixture.locator('[data-section="operation/bodies"]')
  await expect(section.getByText(/^Requests stored: 1/)).toBeVisible()
  await section.getByRole('button', { name: 'Delete all' }).click()
  await fixture.getByRole('alertdialog').getByRole('button', { name: 'Delete all' }).click()
  await expect(section.getByText('Requests and responses deleted: 1')).toBeVisible()
  await others.close()
})
