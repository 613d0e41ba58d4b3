import { expect, type Page } from '@playwright/test'
import { dataOf, signedIn } from '../support/client.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { openStopped } from './stopped-clock.ts'
import { holdSession, signInByHand } from './visitor.ts'

let gateway: ServedConsole
test.beforeAll(async () => {
  gateway = await readyGateway()
})
test.afterAll(() => gateway.stop())

test('a session that has ended leads to the login, which shows that (docs/reference/screens.md#calls-and-failures)', async ({
  page,
}) => {
  await signInByHand(page, gateway.url)
  // No request of the page is pending when the session ends.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(`${gateway.url}/token`)
  await expect(page).toHaveURL(`${gateway.url}/login?expired=true&next=%2Ftoken`)
  await expect(page.getByText('Not logged in or login expired, please log in again')).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toBeNull()
})

test('the login requires both fields and warns of the default password (docs/reference/screens.md#login)', async ({
  page,
}) => {
  await page.goto(`${gateway.url}/login`)
  const logIn = page.getByRole('main').getByRole('button', { name: 'Log in' })
  await logIn.click()
  const card = page.getByRole('main')
  await expect(card.getByRole('alert')).toHaveText('Please enter username and password!')
  await expect(page.getByLabel('Username or email')).toBeFocused()
  await page.getByLabel('Username or email').fill('root')
  await page.getByLabel('Password', { exact: true }).fill('123456')
  await expect(page.getByText('You are using the default password! Change it immediately!')).toBeVisible()
  await logIn.click()
  await expect(card.getByText('Wrong username or password, or the account is banned')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await expect(page.locator('.bp6-toast')).toHaveCount(0)
})

test('a former administrator has the pages of a user, without logging in again (docs/reference/screens.md#calls-and-failures)', async ({
  page,
}) => {
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  const { db } = gateway.inner
  const { password } = await db.selectFrom('users').select('password').executeTakeFirstOrThrow()
  const ann = { username: 'ann', display_name: 'ann', password, group: 'default', role: 10, created_at: 1_700_000_000 }
  await db.insertInto('users').values(ann).execute()
  dataOf(await root.post('/api/channel', { type: 1, name: 'main', key: 'k', models: 'gpt-4o', group: 'default' }))
  await holdSession(page.context(), gateway.url, 'ann')
  await page.goto(`${gateway.url}/channel`)
  await expect(page.getByText('main', { exact: true })).toBeVisible()
  await db.updateTable('users').set({ role: 1 }).where('username', '=', 'ann').execute()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page).toHaveURL(`${gateway.url}/detail`)
  await expect(page.getByRole('link', { name: 'Channels' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Usage logs' }).click()
  await expect(page.getByText('No entries in this period')).toBeVisible()
})

const statuses = [
  { status: 429, said: 'Error: too many requests, try again later!' },
  { status: 500, said: 'Error: internal server error, contact the administrator!' },
  { status: 405, said: 'This site is for demonstration only, no server!' },
  { status: 503, said: 'Error: HTTP 503' },
]
for (const { status, said } of statuses) {
  test(`HTTP ${status} is reported in a message that stays (docs/reference/screens.md#calls-and-failures)`, async ({
    page,
  }) => {
    await page.route('**/api/user/login*', (route) => route.fulfill({ status, body: '' }))
    await openStopped(page, () => tryToLogIn(page))
    await expect(page.getByText(said)).toBeVisible()
    await page.clock.runFor(60_000)
    await expect(page.getByText(said)).toBeVisible()
  })
}

test('a gateway that cannot be reached breaks nothing', async ({ page }) => {
  await page.route('**/api/user/login*', (route) => route.abort())
  await tryToLogIn(page)
  await expect(page.getByText('Error: Unable to connect to server')).toBeVisible()
  await page.route('**/api/status', (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Unable to connect to server' })).toBeVisible()
  await page.route('**/api/status', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Failed to load status' })).toBeVisible()
  await expect(page.getByText('Error: internal server error, contact the administrator!')).toBeVisible()
  await page.unroute('**/api/status')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Log in to Switchyard' })).toBeVisible()
})

async function tryToLogIn(page: Page): Promise<void> {
  await page.goto(`${gateway.url}/login`)
  await page.getByLabel('Username or email').fill(ROOT.username)
  await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
}
