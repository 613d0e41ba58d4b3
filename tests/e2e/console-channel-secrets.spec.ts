import { expect, type Page } from '@playwright/test'
import { aChannelDesk, type ChannelDesk, choose, expectToast } from './channel-desk.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

let desk: ChannelDesk
test.beforeEach(async ({ page }) => {
  desk = await aChannelDesk(page)
})
test.afterEach(() => desk.stop())

const editorOf = (page: Page, name: string) => page.getByRole('dialog', { name: `Edit ${name}` })
const again = 'The address points to another host. Enter the key again: the stored key is not sent to a new host.'

test('an address of another host needs the key again, and says so before anything is sent', async ({ page }) => {
  const troubles = troublesOf(page)
  await desk.show({ name: 'main', key: 'sk-kept' })
  await choose(page, 'main', 'Edit')
  const drawer = editorOf(page, 'main')
  const address = drawer.getByLabel('Base URL')
  await address.fill(`${desk.upstream.url}/below`)
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, 'Update succeeded')
  await choose(page, 'main', 'Edit')
  await address.fill('https://elsewhere.test')
  let isSent = false
  page.on('request', (request) => {
    isSent ||= request.method() === 'PUT'
  })
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByText(again)).toBeVisible()
  await expect(drawer.getByLabel('Key', { exact: true })).toBeFocused()
  expect(isSent).toBe(false)
  await drawer.getByLabel('Key', { exact: true }).fill('sk-for-elsewhere')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer).toHaveCount(0)
  expect(await desk.ask('GET', '/api/channel/1')).toMatchObject({ data: { base_url: 'https://elsewhere.test' } })
  expect(troubles).toEqual([])
})
