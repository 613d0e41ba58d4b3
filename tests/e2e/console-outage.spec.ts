import { expect, type Page } from '@playwright/test'
import { aChannelFixture, type ChannelFixture } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { openStopped, SOON, tickUntil } from './stopped-clock.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'The gateway is not responding' })
const calls = '**/api/**'

const cutOff = (page: Page) => page.route(calls, (route) => route.abort())

test('a gateway that comes back needs no action, and a drawer over the page retains its input', async ({ page }) => {
  const drawer = page.getByRole('dialog', { name: 'Add channel' })
  await openStopped(page, async () => {
    await fixture.show({ name: 'main' })
    await page.getByRole('button', { name: 'Add channel' }).first().click()
    await drawer.getByLabel('Name', { exact: true }).fill('half done')
  })
  await cutOff(page)
  await page.clock.runFor(15_000)
  await tickUntil(page, () => expect(banner(page)).toBeVisible(SOON))
  await page.getByRole('button', { name: 'Retry now' }).click()
  await tickUntil(page, () => expect(page.getByRole('timer')).toHaveText('00:04', SOON))
  await page.unroute(calls)
  await page.clock.runFor(4000)
  await tickUntil(page, () => expect(banner(page)).toHaveCount(0, SOON))
  await expect(drawer.getByLabel('Name', { exact: true })).toHaveValue('half done')
})
