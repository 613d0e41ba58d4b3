import { expect, type Page } from '@playwright/test'
import { freshGateway, ROOT, type ServedConsole } from './gateway.ts'
import { holdTimers } from './held-timers.ts'
import { test } from './shared-browser.ts'
import { tells } from './stub-routing.ts'
import { tick, troublesOf } from './visitor.ts'

let gateway: ServedConsole
test.beforeEach(async () => {
  gateway = await freshGateway()
})
test.afterEach(() => gateway.stop())

test('until the system is set up, every page leads to the wizard (docs/reference/screens.md#setup)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  for (const path of ['/', '/login', '/register', '/reset', '/user/reset', '/token', '/nowhere']) {
    await page.goto(gateway.url + path)
    await expect(page).toHaveURL(`${gateway.url}/setup`)
  }
  // The request comes from the gateway's own machine.
  await expect(page.getByRole('radio', { name: 'Self-use' })).toBeChecked()
  await page.getByRole('button', { name: 'Compare usage modes' }).click()
  for (const mode of ['Several users', 'Self-use', 'Demo'])
    await expect(page.getByRole('dialog').getByText(mode, { exact: true })).toBeVisible()
  expect(troubles).toEqual([])
})

test('each problem is shown at its field (docs/reference/accounts.md#first-setup)', async ({ page }) => {
  await page.route('**/api/setup', (route) => route.fulfill({ status: 503 }), { times: 1 })
  await page.goto(`${gateway.url}/setup`)
  await expect(page.getByText('Failed to get initialization status')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  const initialise = page.getByRole('button', { name: 'Finish setup' })
  await initialise.click()
  const username = page.getByLabel('Username')
  await expect(username).toHaveAccessibleDescription('Enter the admin username')
  await expect(username).toBeFocused()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    'The password must have at least 8 characters',
  )
  await username.fill('root')
  await page.getByLabel('Password', { exact: true }).fill('long-enough')
  await page.getByLabel('Confirm password').fill('something-else')
  await initialise.click()
  await expect(page.getByLabel('Confirm password')).toHaveAccessibleDescription('The two passwords do not match')
  // If an administrator exists, the wizard does not ask for one.
  await tells(/\/api\/setup$/, { status: false, root_init: true, database_type: 'sqlite', in_container: true })(page)
  await page.reload()
  await expect(page.getByText('Mount its data folder.')).toBeVisible()
  await tells(/\/api\/setup$/, { status: false, root_init: true, database_type: 'sqlite', in_container: false })(page)
  await page.reload()
  await expect(page.getByText('An administrator already exists. You only need to choose the usage mode.')).toBeVisible()
  await expect(page.getByLabel(/username|password/i)).toHaveCount(0)
  await expect(page.getByText('The gateway runs in a container')).toHaveCount(0)
})

test('without the setup link the page explains where to look, in both languages, and accepts the link or its code', async ({
  page,
}) => {
  const endTimers = await holdTimers(page)
  await page.goto(`${gateway.url}/setup`)
  await expect(page.getByText('file setup-link in its data folder')).toBeVisible()
  const link = page.getByLabel('Setup link or code')
  await fillIn(page, 'Several users')
  const initialise = page.getByRole('button', { name: 'Finish setup' })
  await initialise.click()
  await expect(link).toHaveAccessibleDescription('Enter the setup link or its code')
  await expect(link).toBeFocused()
  await link.fill('not-the-code')
  await initialise.click()
  await expect(page.getByRole('alert')).toContainText('The one-time code is missing or wrong')
  await link.fill(` ${gateway.setupLink} `)
  await link.press('Enter')
  await expect(page.getByText('Initialization complete')).toBeVisible()
  await expect.poll(() => endTimers(1500)).toBe(1)
  await expect(page).toHaveURL(`${gateway.url}/`)
})

test('the setup link lasts while its window is open', async ({ page }) => {
  await page.goto(gateway.setupLink ?? gateway.url)
  await expect(page.getByRole('button', { name: 'Finish setup' })).toBeVisible()
  await expect(page.getByLabel('Setup link or code')).toBeHidden()
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'zh-CN'))
  await page.goto(gateway.url)
  await expect(page.getByRole('button', { name: '完成初始化' })).toBeVisible()
  await expect(page.getByLabel('初始化链接或一次性代码')).toBeHidden()
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(gateway.url)
  await expect(page.getByText('数据目录下 setup-link 文件')).toBeVisible()
})

async function fillIn(page: Page, mode: string): Promise<void> {
  await page.getByLabel('Username').fill(ROOT.username)
  await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.getByLabel('Confirm password').fill(ROOT.password)
  await tick(page.getByRole('radio', { name: mode }))
}
