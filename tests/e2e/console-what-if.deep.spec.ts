import { expect } from '@playwright/test'
import { aChannelDesk, type ChannelDesk } from './channel-desk.ts'
import { test } from './shared-browser.ts'

let desk: ChannelDesk
test.beforeEach(async ({ page }) => {
  desk = await aChannelDesk(page)
})
test.afterEach(() => desk.stop())

test('without requests it says so, and what takes long is canceled', async ({ page }) => {
  await desk.show({ name: 'main' })
  await page.goto(`${desk.gateway.url}/explain-routing?tab=what-if`)
  await page.getByRole('button', { name: 'Work it out' }).click()
  await expect(page.getByRole('heading', { name: 'No requests in this time' })).toBeVisible()
  const canceled = Promise.withResolvers<void>()
  page.on('requestfailed', (request) => {
    if (request.url().includes('/api/channel/what-if')) canceled.resolve()
  })
  await page.route('**/api/channel/what-if', () => new Promise<void>(() => {}))
  await page.getByRole('button', { name: 'Work it out' }).click()
  await expect(page.getByRole('status', { name: 'Working it out' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await canceled.promise
  await expect(page.getByRole('heading', { name: 'See what a change of channels would do' })).toBeVisible()
})
