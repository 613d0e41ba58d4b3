import { expect, type Page } from '@playwright/test'
import { freshGateway, ROOT, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { copiedBy, tick, troublesOf } from './visitor.ts'

let gateway: ServedConsole
test.beforeEach(async () => {
  gateway = await freshGateway()
})
test.afterEach(() => gateway.stop())

test('from the first start to a token: set up for others, sign in, create, copy', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url })
  const troubles = troublesOf(page)
  await page.goto(gateway.setupLink ?? gateway.url)
  await setUp(page, 'Several users')
  await expect(page).toHaveURL(`${gateway.url}/`)

  await page.getByRole('link', { name: 'Get started' }).click()
  await page.getByLabel('Username or email').fill(ROOT.username)
  await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(`${gateway.url}/detail`)
  await page.getByRole('link', { name: 'API tokens' }).click()
  await expect(page.getByText('No API tokens yet')).toBeVisible()

  await page.getByRole('button', { name: 'Add token' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('laptop')
  await page.getByRole('button', { name: '$10', exact: true }).click()
  await page.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  const row = page.getByRole('row', { name: 'laptop' })
  await expect(row).toContainText('$10.00')
  const copied = await copiedBy(page, row.getByRole('button', { name: 'Copy key of laptop' }))
  const [token] = await gateway.inner.db.selectFrom('tokens').selectAll().execute()
  expect(copied).toMatch(/^sk-[0-9a-zA-Z]{48}$/)
  expect(token).toMatchObject({ name: 'laptop', remain_quota: 5_000_000, expired_time: -1 })
  expect(troubles).toEqual([])
})

test('self-use: the new administrator is signed in and led to the first provider', async ({ page }) => {
  const troubles = troublesOf(page)
  await page.goto(gateway.setupLink ?? gateway.url)
  // The wizard asks for three things: a name, a password (typed twice), and the mode.
  await page.getByRole('button', { name: 'Finish setup' }).waitFor()
  const fields = await page.locator('main').locator('input, select, textarea').all()
  const names = await Promise.all(fields.map((field) => field.getAttribute('name')))
  expect([...new Set(names)]).toEqual(['mode', 'username', 'password', 'confirmPassword'])
  await setUp(page, 'Self-use')
  await expect(page).toHaveURL(`${gateway.url}/connect/provider`)
  await expect(page.getByText('Self-use mode')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Account: root' })).toBeVisible()
  expect(troubles).toEqual([])
})

/** Fills in and submits the wizard. */
async function setUp(page: Page, mode: string): Promise<void> {
  await fillIn(page, mode)
  await page.getByRole('button', { name: 'Finish setup' }).click()
  await expect(page.getByText('Initialization complete')).toBeVisible()
}

async function fillIn(page: Page, mode: string): Promise<void> {
  await page.getByLabel('Username').fill(ROOT.username)
  await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.getByLabel('Confirm password').fill(ROOT.password)
  await tick(page.getByRole('radio', { name: mode }))
}
