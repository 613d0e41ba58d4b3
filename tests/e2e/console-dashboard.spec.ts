import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { chatAnswer } from '../support/chat.ts'
import { dataOf } from '../support/client.ts'
import { readyGateway } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let fixture: ServedVendor
test.beforeAll(async () => {
  fixture = await servedVendor()
  dataOf(await fixture.root.put('/api/option', { key: 'ModelRatio', value: '{"house-large":100,"house-small":10}' }))
})
test.afterAll(() => fixture.stop())

const figure = (page: Page, section: string, name: string) =>
  page.getByRole('region', { name: section }).locator('.dash-figure', { hasText: name }).locator('dd').first()
const listed = (page: Page, name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem')

async function asks(who: Parameters<ServedVendor['asks']>[0], model: string, prompt: number) {
  fixture.upstream.answers({ body: chatAnswer('hello', { prompt, completion: 10 }) })
  expect(await fixture.asks(who, model)).toBe(200)
}

test('an administrator begins with a provider, then sees the usage of all at a glance, and the problems', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  const empty = await readyGateway()
  await signIn(page, empty.url, '/')
  await page.getByRole('main').getByRole('link', { name: 'Connect a provider' }).click()
  await expect(page).toHaveURL(`${empty.url}/connect/provider`)

  await fixture.channel({ name: 'Main account', models: 'house-large,house-small' })
  await fixture.channel({ name: 'Broken account', models: 'house-large' })
  const { id } = dataOf(await fixture.root.get('/api/channel/?p=0&page_size=10')).find(
    (one: { name: string }) => one.name === 'Broken account',
  )
  const other_info = JSON.stringify({ status_reason: 'the key was revoked', status_time: 1 })
  await fixture.inner.db.updateTable('channels').set({ status: 3, other_info }).where('id', '=', id).execute()
  await fixture.inner.registry.reload([id])
  const bob = await fixture.person('bob')
  await asks(fixture.root, 'house-large', 990)
  await asks(bob, 'house-large', 1990)
  await asks(bob, 'house-small', 90)
  fixture.upstream.answers({ status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } })
  await fixture.asks(bob, 'house-large')

  await page.context().clearCookies()
  await signIn(page, fixture.url, '/detail?by=hour')
  await empty.stop()
  await expect(figure(page, 'Today', 'Requests')).toHaveText('3')
  await expect(figure(page, 'Today', 'Errors')).toHaveText('1')
  await expect(figure(page, 'Today', 'Cost')).toHaveText('$0.60')
  await expect(figure(page, 'Today', 'Tokens')).toHaveText('3,100')
  await expect(page).toHaveURL(`${fixture.url}/detail?by=hour`)
  await expect(page.getByText('the key was revoked')).toBeVisible()
  await expect(listed(page, 'Models')).toContainText(['house-large', 'house-small'])
  await expect(listed(page, 'Users')).toContainText(['bob', 'root'])
  // Each entry leads to its rows, even if two users have tokens of the same name.
  const entries = (name: string, list: string) =>
    expect(page.getByRole('list', { name: list, exact: true }).getByRole('link', { name }).first())
  await entries('house-large', 'Models').toHaveAttribute('href', /^\/log\?type=2&from=\d+&model=%3Dhouse-large$/)
  await entries('bob', 'Users').toHaveAttribute('href', /^\/log\?type=2&from=\d+&user=%3Dbob$/)
  await entries('laptop', 'API tokens').toHaveAttribute('href', /^\/log\?type=2&from=\d+&user=%3Dbob&token=%23\d+$/)
  await expect(page.getByRole('table', { name: 'Latency' }).getByRole('row', { name: /Total time/ })).toContainText(
    'ms',
  )

  const chart = page.getByRole('slider', { name: 'Cost by hour' })
  await chart.focus()
  // A new hour may have started since the calls.
  if (/: No data$/.test((await chart.getAttribute('aria-valuetext')) ?? '')) await page.keyboard.press('ArrowLeft')
  await expect(chart).toHaveAttribute('aria-valuetext', /: \$0\.6020, house-large \$0\.6000, house-small \$0\.0020$/)
  // The first 800 pixels show the whole chart.
  expect(await chart.evaluate((bars) => bars.getBoundingClientRect().bottom)).toBeLessThanOrEqual(800)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/log\?type=2&from=\d+&to=\d+$/)
  await expect(page.locator('.log-badges, .log-line').first()).toContainText('$0.60')
  await page.goBack()
  await page.locator('.chart-bars [data-part=house-large] rect').first().click()
  await expect(page).toHaveURL(/\/log\?type=2&from=\d+&to=\d+&model=%3Dhouse-large$/)
  await expect(page.getByRole('main').locator('tbody > tr')).toHaveCount(2)
  await page.goBack()
  await page.getByRole('list', { name: 'Models' }).getByRole('button', { name: 'house-small' }).click()
  await expect(page.getByText('Cost by hour · Total $0.0020')).toBeVisible()
  await page.getByRole('radio', { name: 'Failures' }).click()
  await expect(page.getByText('1 of 4 requests failed (25.0%)')).toBeVisible()
  await page.locator('.chart-bars [data-part=Failed] rect').first().click()
  await expect(page).toHaveURL(/\/log\?type=5&from=\d+&to=\d+$/)
  await expect(page.getByRole('main').locator('tbody > tr')).toHaveCount(1)
  await page.goBack()
  await expect(page.getByText('1 of 4 requests failed (25.0%)')).toBeVisible()
  await page.getByRole('radio', { name: 'Latency' }).click()
  await expect(page.getByRole('slider', { name: '95th percentile by hour' })).toBeVisible()
  await page.getByRole('radio', { name: 'Cost' }).click()
  await chart.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/detail\?from=\d+&to=\d+/)
  await page.goBack()
  await chart.hover({ position: { x: 400, y: 100 } })
  await page.mouse.down()
  await page.locator('.chart-bars [data-part=house-large] rect').first().hover()
  await page.mouse.up()
  await expect(page).toHaveURL(/\/detail\?from=\d+&to=\d+/)
  await expect(page.getByText('Cost by hour · Total $0.6020')).toBeVisible()
  await page.goBack()
  await page.getByRole('radio', { name: 'Requests', exact: true }).click()
  await expect(listed(page, 'Requests by model')).toContainText([
    /house-large\s*2\s*66\.7%/,
    /house-small\s*1\s*33\.3%/,
  ])
  await page.getByRole('radio', { name: 'Table' }).click()
  await expect(page.getByRole('table', { name: 'Usage by model' }).locator('tbody tr')).toHaveCount(1)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const csv = await readFile(await (await saved).path(), 'utf8')
  expect(csv.trim().split('\r\n')).toHaveLength(3)
  expect(csv).toMatch(/,,house-large,2,3000,300000\r\n/)

  // One account's balance has no place next to the usage of all.
  await expect(page.getByText('Current balance')).toHaveCount(0)
  await page.getByRole('button', { name: 'Time range: Last 24 hours' }).click()
  await page.getByRole('button', { name: 'Yesterday' }).click()
  await expect(page).toHaveURL(`${fixture.url}/detail?range=yesterday&view=table`)
  await expect(page.getByRole('heading', { name: 'Yesterday' })).toBeVisible()
  await expect(page.getByText('0 requests ·')).toBeVisible()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByText('3 requests ·')).toBeVisible()

  // The last minutes are read from the log, and have no rankings.
  await page.getByLabel('Granularity').selectOption('minute')
  await expect(page).toHaveURL(`${fixture.url}/detail?by=minute&view=table`)
  await expect(page.getByRole('button', { name: 'Time range: Last 15 minutes' })).toBeVisible()
  await expect(page.getByText('3 requests ·')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Models' })).toHaveCount(0)
  await page.getByRole('radio', { name: 'Failures' }).click()
  await expect(page.getByText('1 of 4 requests failed (25.0%)')).toBeVisible()
  await page.locator('.chart-bars [data-part=Failed] rect').first().click()
  await expect(page).toHaveURL(/\/log\?type=5&from=\d+&to=\d+$/)
  await expect(page.getByRole('main').locator('tbody > tr')).toHaveCount(1)
  await page.goBack()
  await page.getByLabel('Granularity').selectOption('hour')
  await page.getByRole('radio', { name: 'Table' }).click()
  await expect(page).toHaveURL(`${fixture.url}/detail?view=table`)

  await page.getByLabel('Username').fill('bob')
  await page.getByLabel('Granularity').selectOption('day')
  await expect(page).toHaveURL(`${fixture.url}/detail?by=day&user=bob&view=table`)
  await expect(figure(page, 'Today', 'Requests')).toHaveText('2')
  await expect(page.getByText('Current balance')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Users' })).toHaveCount(0)
  await page.getByRole('list', { name: 'Models' }).getByRole('link', { name: 'house-small' }).click()
  await expect(page).toHaveURL(/\/log\?type=2&from=\d+&user=%3Dbob&model=%3Dhouse-small$/)
  await expect(page.getByRole('main').locator('tbody > tr')).toHaveCount(1)
  await page.goBack()
  await page.getByRole('link', { name: 'Broken account' }).click()
  await expect(page).toHaveURL(`${fixture.url}/channel/edit/${id}`)

  dataOf(await fixture.root.put('/api/option', { key: 'DataExportEnabled', value: 'false' }))
  await page.goto(`${fixture.url}/detail`)
  await expect(page.getByText('Usage is not being recorded')).toBeVisible()
  await expect(page.getByLabel('Granularity')).toHaveCount(0)
  await expect(figure(page, 'Today', 'Requests')).toHaveText('3')
  dataOf(await fixture.root.put('/api/option', { key: 'DataExportEnabled', value: 'true' }))
  expect(troubles).toEqual([])
})

test('the menu fits a window of 1280 by 800 in both modes', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, fixture.url, '/detail')
  for (const isSelfUse of ['false', 'true']) {
    dataOf(await fixture.root.put('/api/option', { key: 'SelfUseModeEnabled', value: isSelfUse }))
    await page.reload()
    const links = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
    await expect(links).toHaveCount(isSelfUse === 'true' ? 8 : 12)
    await expect(links.last()).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Collapse sidebar' })).toBeInViewport({ ratio: 1 })
  }
  dataOf(await fixture.root.put('/api/option', { key: 'SelfUseModeEnabled', value: 'false' }))
})
