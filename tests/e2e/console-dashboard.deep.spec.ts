import { expect, type Page } from '@playwright/test'
import { chatAnswer } from '../support/chat.ts'
import { dataOf } from '../support/client.ts'
import { ROOT } from './gateway.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, troublesOf } from './visitor.ts'

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

test('a user begins with a client, then sees only their own, and the last day of each token', async ({ page }) => {
  const troubles = troublesOf(page)
  await fixture.channel({ name: 'Account for eve', models: 'house-large' })
  const eve = await fixture.person('eve')
  await asks(fixture.root, 'house-large', 90)
  await holdSession(page.context(), fixture.url, 'eve')
  await page.goto(`${fixture.url}/detail`)
  await expect(page.getByRole('main').getByRole('link', { name: 'Connect a client' })).toBeVisible()
  await asks(eve, 'house-large', 490)
  // Figures are cached for five seconds.
  await expect(async () => {
    await page.goto(`${fixture.url}/detail?by=hour`)
    await expect(figure(page, 'Today', 'Requests')).toHaveText('1', { timeout: 1000 })
  }).toPass()
  await expect(figure(page, 'Today', 'Cost')).toHaveText('$0.10')
  await expect(figure(page, 'Today', 'Current balance')).toHaveText('$1.90')
  await expect(page.getByText('About 19 days left at last week’s pace')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Users' })).toHaveCount(0)
  await expect(page.getByText(ROOT.username, { exact: true })).toHaveCount(0)
  await expect(listed(page, 'API tokens')).toHaveText([/laptop\s*\$0\.10/])
  await page.getByRole('link', { name: 'laptop' }).click()
  await expect(page).toHaveURL(/\/log\?type=2&from=\d+&token=%23\d+$/)
  await page.goto(`${fixture.url}/token`)
  await expect(
    page.getByRole('img', {
      name: /^Requests per hour over the last 24 hours, \$0\.10 in total: (0, ){22,23}1(, 0)?$/,
    }),
  ).toBeVisible()

  // A time range that is too long shows an error, and the page stays.
  const long = Math.floor(Date.now() / 1000) - 40 * 86_400
  await page.goto(`${fixture.url}/detail?from=${long}`)
  await expect(page.getByText('The time range cannot exceed one month')).toBeVisible()
  await expect(async () => {
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect(figure(page, 'Today', 'Requests')).toHaveText('1', { timeout: 1000 })
  }).toPass()
  expect(troubles).toEqual([])
})
