import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { aChannelFixture, type ChannelFixture, expectToast } from './channel-fixture.ts'
import { ROOT } from './gateway.ts'
import { test } from './shared-browser.ts'
import { pressEscape } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

const again = (page: Page): Locator => page.getByRole('dialog', { name: 'Log in again' })

test('a session that ends in the middle of a form loses nothing: after signing in again over it, the call continues (docs/reference/screens.md#calls-and-failures)', async ({
  page,
}) => {
  const drawer = await aDraft(page)
  await page.context().clearCookies()
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(again(page).getByLabel('Username or email')).toHaveValue('root')
  await expect(again(page).getByLabel('Username or email')).not.toBeEditable()
  const password = again(page).getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await password.fill('something-else')
  await password.press('Enter')
  await expect(again(page).getByRole('alert')).toContainText('Wrong username or password')
  await password.fill(ROOT.password)
  await password.press('Enter')
  await expectToast(page, 'Channel main added')
  await expect(again(page)).toHaveCount(0)
  await expect(page).toHaveURL(`${fixture.gateway.url}/channel`)
  expect(await fixture.ask('GET', '/api/channel/1')).toMatchObject({ data: { name: 'main', key_count: 1 } })
  expect(await stored(page)).not.toContain('sk-pasted')
})

test('postponing it preserves the draft, and the next attempt opens it again', async ({ page }) => {
  const drawer = await aDraft(page)
  await page.context().clearCookies()
  const submit = drawer.getByRole('button', { name: /^(Save|Create token)$/ })
  await submit.click()
  await again(page).waitFor()
  await pressEscape(page)
  await expect(again(page)).toHaveCount(0)
  await expect(drawer.getByLabel('Key', { exact: true })).toHaveValue('sk-pasted')
  await submit.click()
  await again(page).getByLabel('Password', { exact: true }).fill(ROOT.password)
  await again(page).getByRole('button', { name: 'Log in' }).click()
  await expectToast(page, 'Channel main added')
})

test('a window that logs out does not delete the input in another; signing in there continues here', async ({
  page,
  context,
}) => {
  const drawer = await aDraft(page)
  const other = await context.newPage()
  await other.goto(`${fixture.gateway.url}/token`)
  await other.getByRole('button', { name: 'Account: root' }).click()
  await other.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(other).toHaveURL(`${fixture.gateway.url}/login`)
  await again(page).waitFor()
  await other.getByLabel('Username or email').fill(ROOT.username)
  await other.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await other.getByLabel('Password', { exact: true }).press('Enter')
  await expect(again(page)).toHaveCount(0)
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expectToast(page, 'Channel main added')
})

test('without a draft the login page shows that and leads back to the previous page; a deep link survives (docs/reference/screens.md#login)', async ({
  page,
}) => {
  await fixture.show({ name: 'main' })
  await page.context().clearCookies()
  await page.goto(`${fixture.gateway.url}/channel/edit/1`)
  await expect(page).toHaveURL(`${fixture.gateway.url}/login?expired=true&next=%2Fchannel%2Fedit%2F1`)
  await expect(page.getByText('Not logged in or login expired, please log in again')).toBeVisible()
  await signIn(page)
  await expect(page).toHaveURL(`${fixture.gateway.url}/channel/edit/1`)
  await expect(page.getByRole('dialog', { name: 'Edit main' })).toBeVisible()
})

test('signed out, a deep link leads through the login; leaving on purpose leads back nowhere, and no host is another’s', async ({
  browser,
}) => {
  const page = await browser.newPage()
  const { url } = fixture.gateway
  await page.goto(`${url}/explain-routing?model=gpt-4o`)
  await expect(page).toHaveURL(
    `${url}/login?next=${encodeURIComponent('/explain-routing?model=gpt-4o').replace('%20', '+')}`,
  )
  await signIn(page)
  await expect(page).toHaveURL(/\/explain-routing\?.*model=gpt-4o/)
  await page.goto(`${url}/login?next=/log`)
  await expect(page).toHaveURL(`${url}/log`)
  await page.getByRole('button', { name: 'Account: root' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${url}/login`)
  await page.goto(`${url}/login?next=${encodeURIComponent('/\t/host.example/steal')}`)
  await signIn(page)
  await expect(page).toHaveURL(`${url}/detail`)
  await page.close()
})

test('an access token needs a recent login, which is requested over its confirmation (docs/reference/accounts.md#recent-login)', async ({
  page,
}) => {
  await page.goto(`${fixture.gateway.url}/personal`)
  await page.getByRole('button', { name: 'Generate token' }).click()
  await fixture.gateway.inner.db.updateTable('sessions').set({ created_at: 1 }).execute()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Generate token' }).click()
  await expect(again(page)).toContainText('Your last login was a while ago.')
  await expectAccessibleInBothThemes(page)
  await again(page).getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.keyboard.press('Enter')
  const made = page.getByRole('dialog', { name: 'System access token' })
  await expect(made).toContainText('It is not shown again.')
  await expect(again(page)).toHaveCount(0)
})

/** Fills in a new channel without saving it. */
async function aDraft(page: Page): Promise<Locator> {
  await page.goto(`${fixture.gateway.url}/channel`)
  await page.getByRole('button', { name: 'Add channel' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Add channel' })
  await drawer.getByLabel('Name', { exact: true }).fill('main')
  await drawer.getByLabel('Key', { exact: true }).fill('sk-pasted')
  await drawer.getByLabel('Custom model names').fill('gpt-4o')
  return drawer
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username or email').fill(ROOT.username)
  await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
}

/** Everything that the browser stores of the page. */
const stored = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
