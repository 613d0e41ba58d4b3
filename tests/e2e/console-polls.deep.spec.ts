import { expect, type Page } from '@playwright/test'
import { POLL_HEADER } from '../../shared/api/poll.ts'
import { readyGateway } from './gateway.ts'
import { test } from './shared-browser.ts'
import { openStopped } from './stopped-clock.ts'
import { signIn } from './visitor.ts'

test('visible dashboards leave two thirds of the usual limit to people’s actions, and a hidden one sends nothing (docs/reference/screens.md#background-requests)', async ({
  page,
  context,
}) => {
  const gateway = await readyGateway({ environment: { GLOBAL_API_RATE_LIMIT: '180', GLOBAL_WEB_RATE_LIMIT: '60' } })
  const polled: Page[] = []
  const refused: string[] = []
  context.on('request', (request) => {
    if (request.headers()[POLL_HEADER.toLowerCase()]) polled.push(request.frame().page())
  })
  context.on('response', (response) => {
    if (response.status() === 429) refused.push(response.url())
  })
  const [second, hidden] = [await context.newPage(), await context.newPage()]
  const windows = [page, second, hidden]
  await openStopped(page, async () => {
    await signIn(page, gateway.url, '/detail')
    for (const other of [second, hidden]) await other.goto(`${gateway.url}/detail`)
    for (const one of windows) await one.getByRole('main').getByRole('link', { name: 'Connect a provider' }).waitFor()
  })
  await hidden.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }))
  // The clock advances in all windows.
  for (let step = 0; step < 36; step += 1) await page.clock.runFor(5000)
  expect(polled.filter((one) => one === hidden)).toHaveLength(0)
  expect(polled.length).toBeGreaterThan(20)
  expect(polled.length).toBeLessThanOrEqual(60)

  await page.clock.resume()
  for (const name of ['API tokens', 'Wallet']) {
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  }
  expect(refused).toEqual([])
  // Three first visits, although there is memory for thirty pages.
  const pages = await Promise.all(Array.from({ length: 30 }, () => fetch(`${gateway.url}/token`)))
  expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
  await gateway.stop()
})
