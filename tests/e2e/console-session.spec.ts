import { expect } from '@playwright/test'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { signInByHand, troublesOf } from './visitor.ts'

let gateway: ServedConsole
test.beforeAll(async () => {
  gateway = await readyGateway()
})
test.afterAll(() => gateway.stop())

test('a visitor who is signed out is led to the login, and a signed-in user past it (docs/reference/screens.md#routes)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await page.goto(`${gateway.url}/token`)
  await expect(page).toHaveURL(`${gateway.url}/login?next=%2Ftoken`)
  await page.goto(`${gateway.url}/setup`)
  await expect(page).toHaveURL(`${gateway.url}/`)
  await signInByHand(page, gateway.url)
  await expect(page.getByText('Login successful!')).toBeVisible()
  await page.goto(`${gateway.url}/login`)
  await expect(page).toHaveURL(`${gateway.url}/detail`)
  const account = page.getByRole('button', { name: 'Account: root' })
  await account.click()
  await expect(page.getByRole('menuitem')).toHaveText(['Personal settings', 'API tokens', 'Wallet', 'Log out'])
  await page.getByRole('menuitem', { name: 'Wallet' }).click()
  await expect(page).toHaveURL(`${gateway.url}/topup`)
  await account.click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${gateway.url}/login`)
  await expect(page.getByText('Logged out')).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  expect(troubles).toEqual([])
})
