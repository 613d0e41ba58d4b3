import { expect, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { aChannelFixture, type ChannelFixture, rowOf } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { openStopped, SOON, stopAgain, tickUntil } from './stopped-clock.ts'
import { showTenRows } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  await showTenRows(page)
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'The gateway is not responding' })
const calls = '**/api/**'

const cutOff = (page: Page) => page.route(calls, (route) => route.abort())

/** Ends the outage of a page whose clock is stopped; an automatic retry that has begun is aborted before. */
async function restore(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/api/status').catch(() => undefined))
  await page.unrouteAll()
}

test('a gateway that stops is reported, with the time to the next try; the rows stay, and all is fetched again when it is back (docs/reference/screens.md#calls-and-failures)', async ({
  page,
}) => {
  await openStopped(page, () => fixture.show({ name: 'main' }))
  await expect(rowOf(page, 'main')).toBeVisible()
  await cutOff(page)
  await page.clock.runFor(15_000)
  await tickUntil(page, () => expect(banner(page)).toBeVisible(SOON))
  await expect(rowOf(page, 'main')).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText('00:02')
  await page.clock.runFor(2000)
  await tickUntil(page, () => expect(page.getByRole('timer')).toHaveText('00:04', SOON))
  await page.clock.resume()
  await expectAccessibleInBothThemes(page)
  await fixture.make({ name: 'second' })
  await stopAgain(page)
  await restore(page)
  await page.getByRole('button', { name: 'Retry now' }).click()
  await page.clock.resume()
  await expect(banner(page)).toHaveCount(0)
  await expect(rowOf(page, 'second')).toBeVisible()
})

test('a page whose code cannot come waits for the gateway, and opens then', async ({ page }) => {
  await openStopped(page, () => fixture.show({ name: 'main' }))
  await cutOff(page)
  await page.route('**/assets/**', (route) => route.abort())
  await page.getByRole('link', { name: 'Usage logs' }).click()
  await tickUntil(page, () =>
    expect(page.getByText('This page opens as soon as the gateway is back.')).toBeVisible(SOON),
  )
  await restore(page)
  await page.getByRole('button', { name: 'Retry now' }).click()
  await page.clock.resume()
  await expect(page.getByRole('heading', { name: 'Usage logs', level: 1 })).toBeVisible()
})

test('one failed call is not an outage', async ({ page }) => {
  await fixture.show({ name: 'main' })
  await page.route(/\/api\/channel\/?\?/, (route) => route.abort())
  const asked = page.waitForResponse('**/api/status')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await asked
  await expect(page.getByText('Could not refresh.')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
})

test('a list that cannot be loaded again stays, with its age and the reason; so does a page that cannot be turned', async ({
  page,
}) => {
  for (let n = 1; n <= 11; n += 1) await fixture.ask('POST', '/api/token', { name: `token ${n}` })
  await openStopped(page, async () => {
    await page.goto(`${fixture.gateway.url}/token`)
    await expect(page.getByText('Rows 1 - 10 of 11')).toBeVisible()
  })
  await page.route(/\/api\/token\/?\?/, (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Next page' }).click()
  await tickUntil(page, () =>
    expect(page.getByText('Could not refresh. Error: internal server error')).toBeVisible(SOON),
  )
  await expect(page.getByText('Rows 1 - 10 of 11')).toBeVisible()
  await expect(rowOf(page, 'token 11')).toBeVisible()
  await expect(page.getByText('Last updated less than a minute ago')).toBeVisible()
  await page.clock.runFor(180_000)
  await tickUntil(page, () => expect(page.getByText('Last updated 3 minutes ago')).toBeVisible(SOON))
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await page.unroute(/\/api\/token\/?\?/)
  await again.click()
  await page.clock.resume()
  await expect(page.getByText('Rows 11 - 11 of 11')).toBeVisible()
  await expect(page.getByText('Could not refresh.')).toHaveCount(0)
})

test('input stays where a list behind it cannot be loaded again', async ({ page }) => {
  await openStopped(page, async () => {
    await page.goto(`${fixture.gateway.url}/connect/provider`)
    await page.getByLabel('API key').fill('sk-proj-a-good-key')
  })
  await cutOff(page)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await tickUntil(page, () => expect(banner(page)).toBeVisible(SOON))
  await restore(page)
  await page.route('**/api/channel/vendors', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Retry now' }).click()
  await page.clock.resume()
  await expect(banner(page)).toHaveCount(0)
  await expect(page.getByLabel('API key')).toHaveValue('sk-proj-a-good-key')
})
