import { expect, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { bottomOf, expectBoxes } from './boxes.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { signIn, tick, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('quota per unit is changed only after a warning was read', async ({ page }) => {
  await signIn(page, vendor.url, '/setting')
  const field = page.getByLabel('Quota per unit', { exact: true })
  await expect(field).not.toBeEditable()
  await field.click()
  const warning = page.getByRole('alertdialog', { name: 'Change quota per unit?' })
  await expect(warning).toContainText('exact to 6 decimal places')
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await expect(field).not.toBeEditable()
  await page.getByRole('button', { name: 'Edit quota per unit' }).click()
  await warning.getByRole('button', { name: 'Edit' }).click()
  await field.fill('1000000')
  await page.getByRole('button', { name: 'Save General' }).click()
  await expect.poll(() => vendor.inner.settings.get('QuotaPerUnit')).toBe(1_000_000)
})

test('pass-through and pings warn, and the interval waits for pings', async ({ page }) => {
  await signIn(page, vendor.url, '/setting?tab=models')
  const interval = page.getByLabel('Ping interval (seconds)')
  await expect(interval).toBeDisabled()
  await tick(page.getByLabel('Keep-alive ping'))
  await expect(page.getByText('Once a ping has been sent')).toBeVisible()
  await interval.fill('0')
  await page.getByRole('button', { name: 'Save Global' }).click()
  await expect(interval).toBeFocused()
  await interval.fill('15')
  await tick(page.getByLabel('Pass requests through'))
  await expect(page.getByText('Model mapping, parameter overrides')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save Global' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  expect(vendor.inner.settings.get('general_setting.ping_interval_seconds')).toBe(15)
  await page.getByLabel('Ratio of a cache hit').fill('1.5')
  await page.getByRole('button', { name: 'Save Response cache' }).click()
  await expect(page.getByLabel('Ratio of a cache hit')).toBeFocused()
  await expect(page.getByText('Cached responses: 0 (0.0 MiB). Hits since the start: 0.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear cache' }).click()
  await expect(page.getByText('0 cached responses removed')).toBeVisible()
})

test('JSON is checked when its field is left, with the position; a group shows the errors of its limits', async ({
  page,
}) => {
  await signIn(page, vendor.url, '/setting?tab=ratelimit')
  const groups = page.getByLabel('Limits per group', { exact: true })
  for (const rule of ['maps each group to', 'Example:', 'at least 0', 'take precedence', 'period'])
    await expect(panelOf(page, 'Rate limit').getByRole('listitem').filter({ hasText: rule }).first()).toBeVisible()
  await groups.fill('{\n  "vip": [1\n}')
  await groups.blur()
  await expect(page.getByText('Invalid JSON at line 3, column 1')).toBeVisible()
  await groups.fill('{"vip":[1,0]}')
  await expect(page.getByText('Group vip: max requests must be at least 0')).toBeVisible()
  await page.getByRole('button', { name: 'Insert template' }).click()
  await page.getByRole('button', { name: 'Save Rate limit' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  expect(vendor.inner.settings.get('ModelRequestRateLimitGroup')).toEqual({ default: [200, 100], vip: [0, 1000] })
})

test('chats are edited in rows, with the JSON behind them', async ({ page }) => {
  const troubles = troublesOf(page)
  dataOf(await vendor.root.put('/api/option', { key: 'Chats', value: '[{"One":"https://one.example/{key}"}]' }))
  await signIn(page, vendor.url, '/setting')
  const panel = panelOf(page, 'Chats')
  await panel.getByRole('button', { name: 'Add chat' }).click()
  await panel.getByLabel('Name of chat 2').fill('Two')
  await panel.getByLabel('Address of chat 2').fill('javascript:alert(1)')
  await panel.getByRole('button', { name: 'Save Chats' }).click()
  await expect(panel.getByText('A chat address must start with https://')).toBeVisible()
  await expect(panel.getByLabel('Address of chat 2')).toBeFocused()
  await expect(panel.getByLabel('Address of chat 2')).toHaveAccessibleDescription(/must start with https/)
  await panel.getByLabel('Address of chat 2').fill('two://open?url={address}')
  await panel.getByRole('button', { name: 'Move Two up' }).click()
  await panel.getByRole('button', { name: 'Edit as JSON' }).click()
  await expect(panel.getByLabel('Chat configuration', { exact: true }).last()).toHaveValue(/"Two"[\s\S]*"One"/)
  await panel.getByRole('button', { name: 'Save Chats' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  expect(vendor.inner.settings.get('Chats')).toEqual([
    { Two: 'two://open?url={address}' },
    { One: 'https://one.example/{key}' },
  ])
  expect(troubles).toEqual([])
})

test('on a phone a field that gets the focus is above the bar that saves', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, vendor.url, '/setting')
  const panel = panelOf(page, 'General')
  const foot = panel.locator('.setting-foot')
  await panel.getByLabel('Retries on failure', { exact: true }).fill('7')
  await expect(foot.getByText('1 unsaved change')).toBeVisible()
  const last = panel.getByRole('checkbox').last()
  for (let presses = 0; presses < 20 && !(await last.evaluate((field) => field.matches(':focus'))); presses += 1) {
    await page.keyboard.press('Tab')
    await expectBoxes([page.locator(':focus'), foot], (focused, bar) =>
      expect(bottomOf(focused)).toBeLessThanOrEqual(bar.y),
    )
  }
  await expect(last).toBeFocused()
})

test('the mail panel warns while links in mails open on this computer only, until a server address is set', async ({
  page,
}) => {
  await signIn(page, vendor.url, '/setting?tab=system')
  const panel = panelOf(page, 'SMTP')
  await expect(panel).toContainText(`Links in mails lead to ${vendor.url}, which only this computer can open.`)
  await vendor.inner.settings.set('ServerAddress', 'https://gateway.example.com')
  await page.reload()
  await expect(panel.getByRole('textbox', { name: 'SMTP server' })).toBeVisible()
  await expect(panel).not.toContainText('Links in mails lead to')
})

test('payment waits for the server address, drops slashes at the end, and has separate messages for its JSON', async ({
  page,
}) => {
  await signIn(page, vendor.url, '/setting?tab=system')
  const panel = panelOf(page, 'Payment')
  await panel.getByRole('textbox', { name: 'Pay address' }).fill('https://pay.example.com/epay//')
  await panel.getByRole('button', { name: 'Save Payment' }).click()
  await expect(page.getByText('Please fill in the server address first')).toBeVisible()
  await vendor.inner.settings.set('ServerAddress', 'https://gateway.example.com')
  await panel.getByRole('button', { name: 'Discard changes in Payment' }).click()
  await page.reload()
  await panel.getByRole('textbox', { name: 'Pay address' }).fill('https://pay.example.com/epay//')
  const methods = panel.getByRole('textbox', { name: 'Top-up methods' })
  await methods.fill('[{')
  await methods.blur()
  await expect(panel.getByText('The top-up method setting is not a valid JSON string')).toBeVisible()
  await panel.getByRole('button', { name: 'Insert template' }).last().click()
  await panel.getByRole('button', { name: 'Save Payment' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  expect(vendor.inner.settings.get('PayAddress')).toBe('https://pay.example.com/epay')
  await expect(panel).not.toContainText('cannot be reached from the internet')
  await vendor.inner.settings.set('CustomCallbackAddress', 'http://192.168.1.5')
  await page.reload()
  await expect(panel).toContainText('http://192.168.1.5, which cannot be reached from the internet')
})

test('amounts are typed in dollars, and quota is stored', async ({ page }) => {
  await signIn(page, vendor.url, '/setting')
  await page.getByLabel('Quota for new users', { exact: true }).fill('0.2')
  const gift = page.locator('[data-option=QuotaForNewUser]')
  await expect(gift).toContainText('Given to every new account. Equals 100,000 quota')
  await page.getByRole('button', { name: 'Save Quota' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  expect(vendor.inner.settings.get('QuotaForNewUser')).toBe(100_000)
})

test('texts of the site are saved one by one, previewed without scripts, and have separate failure messages', async ({
  page,
}) => {
  await signIn(page, vendor.url, '/setting?tab=other')
  const notice = panelOf(page, 'Notice')
  await notice
    .getByRole('textbox', { name: 'Notice' })
    .fill('**Closed** on Sunday <img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>')
  await notice.getByRole('button', { name: 'Preview of Notice' }).click()
  await expect(notice.getByRole('region', { name: 'Preview of Notice' }).locator('strong')).toHaveText('Closed')
  await expect(page).toHaveTitle(/^System settings/)
  await notice.getByRole('button', { name: 'Save Notice' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  await page.getByLabel('System name', { exact: true }).fill('My gateway')
  await page.getByRole('button', { name: 'Save System name' }).click()
  await expect(page).toHaveTitle('System settings · My gateway')
  await page.route('**/api/option', (route, request) =>
    request.method() === 'PUT'
      ? route.fulfill({ json: { success: false, message: 'The text is too long', data: null } })
      : route.continue(),
  )
  await page.getByLabel('About', { exact: true }).fill('x')
  await page.getByRole('button', { name: 'Save About' }).click()
  await expect(page.getByText('About could not be updated')).toBeVisible()
  await expect(page.getByText('The text is too long')).toBeVisible()
})
