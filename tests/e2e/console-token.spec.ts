import { expect, type Page } from '@playwright/test'
import { choose } from './channel-fixture.ts'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

let gateway: ServedConsole
test.beforeEach(async ({ page }) => {
  gateway = await readyGateway()
  await signIn(page, gateway.url)
})
test.afterEach(() => gateway.stop())

test('a token is changed, disabled, enabled and, once confirmed, deleted (docs/reference/screens.md#tokens)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await makeTokens(page, ['laptop'])
  await page.getByRole('button', { name: 'Add token' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Add token' })
  await adding.getByLabel('Name', { exact: true }).fill('fixture')
  await adding.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByRole('row', { name: 'fixture' })).toBeVisible()
  await choose(page, 'fixture', 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('row', { name: 'fixture' })).toHaveCount(0)
  const row = page.getByRole('row', { name: 'laptop' })
  await choose(page, 'laptop', 'Disable')
  await expect(row).toContainText('Disabled')
  await choose(page, 'laptop', 'Enable')
  await expect(row).toContainText('Enabled')

  await choose(page, 'laptop', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit laptop' })
  await drawer.getByLabel('Expires').pressSequentially('12')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByText('The expiry date is not valid')).toBeVisible()
  await drawer.getByLabel('Expires').fill('2040-01-31T18:00:00')
  await drawer.getByText('Unlimited quota').click()
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(row).toContainText('2040-01-31 18:00')
  await expect(row).toContainText('Unlimited')

  await choose(page, 'laptop', 'Delete')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Delete token “laptop”?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(row).toBeVisible()
  await choose(page, 'laptop', 'Delete')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Token laptop deleted')).toBeVisible()
  await expect(page.getByText('No API tokens yet')).toBeVisible()
  expect(troubles).toEqual([])
})

/** Creates tokens as the page would, and shows them. */
async function makeTokens(page: Page, names: readonly string[]): Promise<void> {
  await page.evaluate(async (wanted) => {
    const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
    const headers = { 'content-type': 'application/json', 'new-api-user': String(id) }
    for (const name of wanted) {
      const body = JSON.stringify({ name, remain_quota: 500_000 })
      await fetch('/api/token', { method: 'POST', headers, body })
    }
  }, names)
  await page.reload()
}
