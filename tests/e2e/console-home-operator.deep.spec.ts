import { expect, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel()
  await vendor.person('ann')
})
test.afterAll(() => vendor.stop())
test.beforeEach(() => publish('', ''))

/** Publishes the operator's texts for the home page. */
async function publish(notice: string, page: string): Promise<void> {
  dataOf(await vendor.root.put('/api/option', { key: 'Notice', value: notice }))
  dataOf(await vendor.root.put('/api/option', { key: 'HomePageContent', value: page }))
}

const notice = (page: Page) => page.getByRole('complementary', { name: 'Notice' })
const landing = (page: Page) => page.getByRole('link', { name: 'Get started' })

test('a notice is shown once, until it is closed, and again when its text changes (docs/reference/screens.md#home)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await publish('Maintenance on **Sunday**, see [status](https://status.example)', '')
  await page.goto(vendor.url)
  await expect(notice(page).locator('strong')).toHaveText('Sunday')
  await expect(notice(page).getByRole('link', { name: 'status' })).toHaveAttribute('href', 'https://status.example')
  await expect(landing(page)).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await notice(page).getByRole('button', { name: 'Close' }).click()
  await expect(notice(page)).toBeHidden()

  const read = page.waitForResponse('**/api/notice')
  await page.reload()
  await read
  await expect(landing(page)).toBeVisible()
  await expect(notice(page)).toHaveCount(0)
  await publish('<b>Back</b> again', '')
  await page.reload()
  await expect(notice(page)).toContainText('Back again')
  expect(troubles).toEqual([])
})

test('an operator’s page replaces ours, without scripts, and is cached for a slow gateway', async ({ page }) => {
  const text =
    '# Welcome\n\n- one\n\n<p onclick="alert(1)">Plain <em>HTML</em></p><script>document.title = "taken"</script>'
  await publish('', text)
  await page.goto(vendor.url)
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  await expect(page.locator('.operator-page li')).toHaveText('one')
  await expect(page.getByText('Plain HTML')).not.toHaveAttribute('onclick')
  await expect(page.locator('.operator-page script')).toHaveCount(0)
  await expect(landing(page)).toHaveCount(0)
  await expect(page).toHaveTitle('Switchyard')
  await expectAccessibleInBothThemes(page)

  await page.route('**/api/home_page_content', () => {})
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
})

test('a user who is not an administrator sees notice, page and own usage, and nothing of channels', async ({
  page,
}) => {
  await publish('For everybody', '## Our rules')
  await holdSession(page.context(), vendor.url, 'ann')
  await page.goto(vendor.url)
  await expect(page.getByRole('heading', { name: 'Our rules' })).toBeVisible()
  await expect(notice(page)).toContainText('For everybody')
  await page.getByRole('link', { name: 'Console' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
  await expect(notice(page)).toContainText('For everybody')
  await expect(page.getByRole('main').getByRole('link', { name: 'Connect a client' })).toBeVisible()
  for (const name of ['Channels', 'Connect a provider'])
    await expect(page.getByRole('main').getByRole('link', { name })).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
})

test('an external page is shown in a frame that cannot act as us, and receives theme and language', async ({
  page,
}) => {
  const script = `onmessage = ({ data }) => document.body.append(JSON.stringify(data) + ' ')`
  const body = `<!doctype html><html lang="en"><title>Ours</title><body><script>${script}</script></body></html>`
  await page.route('https://home.example/**', (route) => route.fulfill({ contentType: 'text/html', body }))
  await publish('', 'https://home.example/start')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(vendor.url)
  const frame = page.frameLocator('iframe.operator-frame').locator('body')
  await expect(frame).toContainText('{"themeMode":"light"} {"lang":"en"}')
  await expect(page.locator('iframe.operator-frame')).not.toHaveAttribute('sandbox', /same-origin/)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(frame).toContainText('{"themeMode":"dark"}')
})

test('a page that cannot be read is reported over ours, and comes when it is tried again', async ({ page }) => {
  await publish('', 'Here we are')
  await page.route('**/api/home_page_content', (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto(vendor.url)
  await expect(page.getByRole('alert')).toContainText('Home page content could not be loaded')
  await expect(landing(page)).toBeVisible()
  await page.unroute('**/api/home_page_content')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Here we are')).toBeVisible()
})

test('an operator’s content does not cover the console, with any position', async ({ page }) => {
  await publish('', '<p>Mine</p><div style="position: fixed; inset: 0; z-index: 9999; background: red"></div>')
  await page.goto(vendor.url)
  await expect(page.getByText('Mine')).toBeVisible()
  await page.getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL(`${vendor.url}/login`)
})
