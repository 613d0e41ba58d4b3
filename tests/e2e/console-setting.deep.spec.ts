import { expect, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { expectAccessible, OVERLAYS } from './accessible.ts'
import { expectToast } from './channel-fixture.ts'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { pressEscape, signIn, tick, troublesOf } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async () => {
  vendor = await servedVendor()
})
test.afterEach(() => vendor.stop())

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function storedIn(key: string): Promise<string | undefined> {
  const list = dataOf(await vendor.root.get('/api/option')) as { key: string; value: string }[]
  return list.find((one) => one.key === key)?.value
}

/** The option keys that the page sends, in order. */
function sentBy(page: Page): string[] {
  const keys: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/api/option')) keys.push(request.postDataJSON().key)
  })
  return keys
}

test('the five tabs show every panel, and the address names the tab', async ({ page }) => {
  const troubles = troublesOf(page)
  await signIn(page, vendor.url, '/setting')
  await expect(page.getByRole('tab', { selected: true }).first()).toHaveText('Operation')
  await expect(panelOf(page, 'Monitoring')).toBeVisible()
  for (const [tab, panel] of [
    ['Rate limit', 'Rate limit'],
    ['Models', 'Gemini'],
    ['System', 'SMTP'],
    ['Other', 'Personalization'],
  ] as const) {
    await page.getByRole('tab', { name: tab, exact: true }).click()
    await expect(panelOf(page, panel)).toBeVisible()
  }
  await expect(page).toHaveURL(/\/setting\?tab=other$/)
  await page.goBack()
  await expect(panelOf(page, 'SMTP')).toBeVisible()
  await expectAccessible(page)
  expect(troubles).toEqual([])
})

test('a wrong value is reported when its field is left, is not sent, and gets the focus', async ({ page }) => {
  await signIn(page, vendor.url, '/setting')
  const sent = sentBy(page)
  const retries = page.getByLabel('Retries on failure', { exact: true })
  await retries.fill('11')
  await expect(page.getByText('Enter a whole number from 0 to 10')).toHaveCount(0)
  await retries.blur()
  await expect(page.getByText('Enter a whole number from 0 to 10')).toBeVisible()
  await page.getByRole('button', { name: 'Save General' }).click()
  await expect(page.getByText('please check the input')).toBeVisible()
  await expect(retries).toBeFocused()
  expect(sent).toEqual([])
})

test('a refusal of the gateway is shown at its field, and the other saved settings are named', async ({ page }) => {
  let isReadable = true
  await page.route('**/api/option', (route, request) => {
    if (request.method() === 'PUT' && request.postDataJSON().key === 'RetryTimes')
      return route.fulfill({ json: { success: false, message: 'Not in this condition', data: null } })
    return request.method() === 'PUT' || isReadable ? route.continue() : route.fulfill({ status: 500, body: '' })
  })
  await signIn(page, vendor.url, '/setting')
  const general = panelOf(page, 'General')
  await general.getByLabel('Retries on failure', { exact: true }).fill('3')
  await general.getByRole('button', { name: 'Save General' }).click()
  await expectToast(page, 'Failed to save, retry')
  isReadable = false
  await tick(general.getByLabel('Self-use mode'))
  await general.getByRole('button', { name: 'Save General' }).click()
  await expectToast(page, 'Refresh failed')
  await expectToast(page, 'Partial save failed, retry. Saved: Self-use mode')
  await expect(general.getByText('Not in this condition')).toBeVisible()
  await expect(general.getByLabel('Retries on failure', { exact: true })).toBeFocused()
  await expect(general.getByText('1 unsaved change')).toBeVisible()
  expect(await storedIn('SelfUseModeEnabled')).toBe('true')
})

test('unsaved changes guard another tab and another page; staying preserves them', async ({ page }) => {
  await signIn(page, vendor.url, '/setting')
  await page.getByLabel('Retries on failure', { exact: true }).fill('5')
  await page.getByRole('tab', { name: 'Models', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Discard changes in “System settings”?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Retries on failure', { exact: true })).toHaveValue('5')
  const isHeld = await page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  expect(isHeld).toBe(true)
  await page.getByRole('link', { name: 'Usage logs' }).click()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page).toHaveURL(`${vendor.url}/log`)
})

test('a question that was answered cannot be answered again while it fades', async ({ page }) => {
  await signIn(page, vendor.url, '/setting')
  await page.getByLabel('Retries on failure', { exact: true }).fill('5')
  await page.getByRole('tab', { name: 'Models', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Discard changes in “System settings”?' })
  await question.waitFor()
  // Read when the fading starts, however slow the machine is.
  const reach = await question.evaluate((dialog) => {
    const [cancel, discard] = dialog.querySelectorAll('button')
    const overlay = dialog.closest('.bp6-dialog-container')
    if (!cancel || !discard || !overlay) throw new Error('not a question')
    return new Promise<string>((resolve) => {
      const isFading = () => overlay.classList.contains('bp6-overlay-exit')
      const look = () => isFading() && resolve(getComputedStyle(discard).pointerEvents)
      new MutationObserver(look).observe(overlay, { attributes: true })
      cancel.click()
    })
  })
  expect(reach).toBe('none')
  await expect(page).toHaveURL(`${vendor.url}/setting`)
})

test('unsaved changes behind an open drawer guard the page as well, Back included', async ({ page }) => {
  const troubles = troublesOf(page)
  await signIn(page, vendor.url, '/log')
  await page.getByRole('link', { name: 'System settings' }).click()
  await page.getByLabel('Retries on failure', { exact: true }).fill('5')
  await page.getByRole('button', { name: 'Import' }).click()
  const drawer = page.getByRole('dialog', { name: 'Import settings' })
  await drawer.waitFor()
  const question = page.getByRole('alertdialog', { name: 'Discard changes in “System settings”?' })
  await page.evaluate(() => history.go(-2))
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/setting\?import=$/)
  await drawer.getByRole('link', { name: 'Import from another gateway' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  await expect(drawer).toHaveCount(0)
  await expect(page.getByLabel('Retries on failure', { exact: true })).toHaveValue('5')
  await page.getByRole('button', { name: 'Import' }).click()
  await drawer.getByRole('link', { name: 'Import from another gateway' }).click()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page).toHaveURL(`${vendor.url}/import`)
  expect(troubles).toEqual([])
})

test('logging out is not prevented by unsaved changes', async ({ page }) => {
  await signIn(page, vendor.url, '/setting')
  await page.getByLabel('Retries on failure', { exact: true }).fill('5')
  await page.getByRole('button', { name: 'Account: root' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login/)
})

test('a setting that is not at its default shows that and its author, and can be reset', async ({ page }) => {
  await vendor.root.put('/api/option', { key: 'RetryTimes', value: '9' })
  await signIn(page, vendor.url, '/setting')
  const field = page.locator('[data-option=RetryTimes]')
  await expect(field).toContainText('Modified')
  await expect(field.getByRole('textbox')).toHaveAccessibleDescription(/Modified/)
  await expect(field.getByRole('link', { name: /Settings history of Retries on failure/ })).toContainText(
    'Changed by root',
  )
  await expect(page.locator('[data-option=USDExchangeRate]')).not.toContainText('Modified')
  await field.getByRole('button', { name: 'Reset Retries on failure to its default' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click()
  await expect(field.getByRole('textbox')).toHaveValue('2')
  await expect(field).not.toContainText('Modified')
})

test('a user who may not change settings is informed of that', async ({ page }) => {
  await page.route('**/api/option', (route) =>
    route.fulfill({ json: { success: false, message: 'You are not allowed to do this', data: null } }),
  )
  await signIn(page, vendor.url, '/setting')
  await expect(page.getByRole('heading', { name: 'You cannot change settings' })).toBeVisible()
})

test('two administrators who save at once lose nothing: the second sees both values, and decides', async ({ page }) => {
  await signIn(page, vendor.url, '/setting')
  const general = panelOf(page, 'General')
  await general.getByLabel('Retries on failure', { exact: true }).fill('4')
  await general.getByLabel('USD exchange rate').fill('7.1')
  dataOf(await vendor.root.put('/api/option', { key: 'RetryTimes', value: '9' }))
  dataOf(await vendor.root.put('/api/option', { key: 'USDExchangeRate', value: '7.2' }))
  await general.getByRole('button', { name: 'Save General' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Retries on failure')
  await expectAccessible(page, OVERLAYS)
  expect([await storedIn('RetryTimes'), await storedIn('USDExchangeRate')]).toEqual(['9', '7.2'])
  await pressEscape(page)
  await expect(general.getByRole('textbox', { name: 'Retries on failure' })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await tick(dialog.getByRole('radio', { name: 'Save mine' }).first())
  await tick(dialog.getByRole('radio', { name: 'Keep the saved value' }).last())
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Update succeeded')).toBeVisible()
  await expect(general.getByRole('textbox', { name: 'Retries on failure' })).toHaveValue('4')
  await expect(general.getByRole('textbox', { name: 'USD exchange rate' })).toHaveValue('7.2')
  expect([await storedIn('RetryTimes'), await storedIn('USDExchangeRate')]).toEqual(['4', '7.2'])
})
