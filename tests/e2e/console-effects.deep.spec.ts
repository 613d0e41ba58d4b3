import { expect, type Page } from '@playwright/test'
import { encodeOption, isOptionKey, type OptionKey, options } from '../../shared/options/index.ts'
import { dataOf } from '../support/client.ts'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { choose } from './channel-fixture.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let vendor: ServedVendor
const changed = new Set<OptionKey>()
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel()
  await vendor.person('ann')
  dataOf(await vendor.root.post('/api/token', { name: 'laptop', remain_quota: 1_000_000 }))
})
test.afterAll(() => vendor.stop())
test.afterEach(async () => {
  for (const key of changed) await write(key, encodeOption(key, options[key].default as never)) // a default has its key's type
  changed.clear()
})

const write = async (key: OptionKey, value: unknown) => dataOf(await vendor.root.put('/api/option', { key, value }))

/** Changes options of the running gateway. */
async function put(values: Partial<Record<OptionKey, unknown>>): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    if (!isOptionKey(key)) throw new Error(key)
    changed.add(key)
    await write(key, value)
  }
}

/** Makes the console check the gateway, as it does every 15 seconds and when the user returns to it. */
const lookAgain = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
const bar = (page: Page) => page.getByRole('banner')

test('name, logo, footer and documentation follow while the page stays open (docs/reference/screens.md#shell)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await signIn(page, vendor.url)
  await expect(page).toHaveTitle(/Switchyard$/)
  await expect(bar(page).getByRole('link', { name: 'Docs' })).toHaveCount(0)
  await page.evaluate(() => document.documentElement.setAttribute('data-same', 'page'))
  const image = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E'
  await put({
    SystemName: 'Our house',
    Logo: image,
    Footer: '<b>Ours alone</b>',
    'general_setting.docs_link': 'https://docs.example/start',
  })
  await lookAgain(page)
  await expect(bar(page).getByText('Our house')).toBeVisible()
  await expect(page).toHaveTitle(/Our house$/)
  await expect(bar(page).locator('img')).toHaveAttribute('src', image)
  await expect(page.locator('link[rel~=icon]')).toHaveAttribute('href', image)
  await expect(bar(page).getByRole('link', { name: 'Docs' })).toHaveAttribute('href', 'https://docs.example/start')
  await expect(page.getByRole('contentinfo').locator('b')).toHaveText('Ours alone')
  expect(await page.evaluate(() => document.documentElement.dataset.same)).toBe('page')
  expect(troubles).toEqual([])
})

test('amounts follow the currency and the quota of a dollar while the page stays open', async ({ page }) => {
  await signIn(page, vendor.url)
  const row = page.getByRole('row').filter({ hasText: 'laptop' })
  await expect(row).toContainText('$2.00')
  await put({ QuotaPerUnit: 250_000 })
  await lookAgain(page)
  await expect(row).toContainText('$4.00')
  await put({ DisplayInCurrencyEnabled: false })
  await lookAgain(page)
  await expect(row).toContainText('1.0M')
})

test('self-use mode has its badge while it is on', async ({ page }) => {
  await signIn(page, vendor.url)
  await expect(bar(page).getByText('Self-use mode')).toHaveCount(0)
  await put({ SelfUseModeEnabled: true })
  await lookAgain(page)
  await expect(bar(page).getByText('Self-use mode')).toBeVisible()
  await put({ SelfUseModeEnabled: false })
  await lookAgain(page)
  await expect(bar(page).getByText('Self-use mode')).toHaveCount(0)
})

test('the chats of a token are those the operator has set up', async ({ page }) => {
  await signIn(page, vendor.url)
  await put({ Chats: JSON.stringify([{ 'Our chat': 'https://chat.example/?key={key}' }]) })
  await lookAgain(page)
  await choose(page, 'laptop', 'Chat…')
  const dialog = page.getByRole('dialog', { name: 'Chat with laptop' })
  await expect(dialog.getByRole('listitem')).toHaveText(/Our chat.*chat\.example/)
})

test('a new token begins with the automatic group where the operator has set that', async ({ page }) => {
  await put({
    DefaultUseAutoGroup: true,
    UserUsableGroups: JSON.stringify({ default: 'usual', auto: 'automatic' }),
  })
  await signIn(page, vendor.url)
  await page.getByRole('button', { name: 'Add token' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Add token' }).getByLabel('Group')).toHaveValue(/auto/i)
})

test('the operator’s page about the gateway is public, and can do no harm (docs/reference/screens.md#about)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await page.goto(`${vendor.url}/about`)
  await expect(page.getByText('The operator of this gateway has not written anything here.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await put({
    About: '## Who we are\n\n<p onclick="alert(1)">Plain <em>HTML</em></p><script>document.title = "taken"</script>',
  })
  await page.goto(vendor.url)
  await bar(page).getByRole('link', { name: 'About' }).click()
  await expect(page.getByRole('heading', { name: 'Who we are' })).toBeVisible()
  await expect(page.getByText('Plain HTML')).not.toHaveAttribute('onclick')
  await expect(page).toHaveTitle('About · Switchyard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About')
  await expectAccessibleInBothThemes(page)
  // The browser blocks and reports the handler while the text is sanitized.
  expect(troubles.filter((trouble) => !trouble.includes('inline event handler'))).toEqual([])
})

test('an address is shown in a frame on the About page, and a failure can be tried again', async ({ page }) => {
  await page.route('https://about.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Ours</title><p>From elsewhere</p>' }),
  )
  await put({ About: 'https://about.example/us' })
  await page.route('**/api/about', (route) => route.fulfill({ status: 503, body: '' }))
  await signIn(page, vendor.url, '/about')
  await page.unroute('**/api/about')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.frameLocator('iframe.operator-frame').locator('body')).toContainText('From elsewhere')
  await put({ About: '' })
  await page.goto(`${vendor.url}/about`)
  await page.getByRole('link', { name: 'Write text' }).click()
  await expect(page).toHaveURL(/\/setting\?tab=other&key=About$/)
  await expect(page.getByRole('textbox', { name: 'About' })).toBeVisible()
})
