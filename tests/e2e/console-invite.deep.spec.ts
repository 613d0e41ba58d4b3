import { expect } from '@playwright/test'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { signIn } from './visitor.ts'

let gateway: ServedConsole
test.beforeEach(async () => {
  gateway = await readyGateway()
  await gateway.inner.settings.set('RegisterEnabled', 'false')
})
test.afterEach(() => gateway.stop())

test('what was made is taken back', async ({ page }) => {
  await signIn(page, gateway.url, '/user/invite')
  const drawer = page.getByRole('dialog', { name: 'Invite by link' })
  await drawer.getByRole('button', { name: 'Create link' }).click()
  await drawer.getByRole('button', { name: 'Revoke “Invitation 1”' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(drawer.getByRole('heading', { name: 'Open invitations' })).toHaveCount(0)
  expect(await gateway.inner.db.selectFrom('invitations').selectAll().execute()).toEqual([])
})
