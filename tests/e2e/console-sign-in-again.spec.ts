import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessible.ts'
import { aChannelDesk, type ChannelDesk, expectToast } from './channel-desk.ts'
import { ROOT } from './gateway.ts'
import { test } from './shared-browser.ts'

let desk: ChannelDesk
test.beforeEach(async ({ page }) => {
  desk = await aChannelDesk(page)
})
test.afterEach(() => desk.stop())

const again = (page: Page): Locator => page.getByRole('dialog', { name: 'Log in again' })

test('a session that ends in the middle of a form loses nothing: signed in again over it, the call goes on (docs/reference/screens.md#calls-and-failures)', async ({
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
  await expect(page).toHaveURL(`${desk.gateway.url}/channel`)
  expect(await desk.ask('GET', '/api/channel/1')).toMatchObject({ data: { name: 'main', key_count: 1 } })
  expect(await stored(page)).not.toContain('sk-pasted')
})

/** A new channel that is filled in and not yet saved. */
async function aDraft(page: Page): Promise<Locator> {
  await page.goto(`${desk.gateway.url}/channel`)
  await page.getByRole('button', { name: 'Add channel' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Add channel' })
  await drawer.getByLabel('Name', { exact: true }).fill('main')
  await drawer.getByLabel('Key', { exact: true }).fill('sk-pasted')
  await drawer.getByLabel('Custom model names').fill('gpt-4o')
  return drawer
}

/** Everything that the browser keeps of the page. */
const stored = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
