import { expect, type Page } from '@playwright/test'
import { choose } from './channel-fixture.ts'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { copiedBy, showTenRows, signIn, tick, troublesOf } from './visitor.ts'

let gateway: ServedConsole
test.beforeEach(async ({ page }) => {
  await showTenRows(page)
  gateway = await readyGateway()
  await signIn(page, gateway.url)
})
test.afterEach(() => gateway.stop())

test('a token that expires after all valid dates is in the list, and can be changed', async ({ page }) => {
  const troubles = troublesOf(page)
  await makeTokens(page, ['laptop'])
  await gateway.inner.db.updateTable('tokens').set({ expired_time: 9_000_000_000_000_000 }).execute()
  await page.reload()
  await expect(page.getByRole('row', { name: 'laptop' })).toContainText('275760-09-1')
  await choose(page, 'laptop', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit laptop' })
  await drawer.getByLabel('Name', { exact: true }).fill('fixture')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: 'fixture' })).toBeVisible()
  expect(troubles).toEqual([])
})

test('saving a token preserves changes that were saved meanwhile elsewhere (docs/reference/accounts.md#api-tokens)', async ({
  page,
}) => {
  await makeTokens(page, ['laptop'])
  await choose(page, 'laptop', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit laptop' })
  await drawer.getByLabel('Name', { exact: true }).fill('fixture')
  const theirs = { allow_ips: '10.0.0.1', expired_time: 4_000_000_000, requests_per_minute: 5 }
  await gateway.inner.db.updateTable('tokens').set(theirs).execute()
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: 'fixture' })).toBeVisible()
  expect(await gateway.inner.db.selectFrom('tokens').selectAll().executeTakeFirstOrThrow()).toMatchObject(theirs)
})

test('pages of 10, 20, 50 or 100, and the choice is remembered (docs/reference/api.md#paging)', async ({ page }) => {
  const names = Array.from({ length: 21 }, (_, index) => `token ${index + 1}`)
  await makeTokens(page, names)
  await expect(page.getByText('Rows 1 - 10 of 21')).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('Rows 11 - 20 of 21')).toBeVisible()
  await page.getByLabel('Rows per page').selectOption('20')
  await expect(page.getByText('Rows 1 - 20 of 21')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('page-size'))).toBe('20')
  await page.reload()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('Rows 21 - 21 of 21')).toBeVisible()
  await choose(page, 'token 1', 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Rows 1 - 20 of 20')).toBeVisible()
})

test('tokens are found by name; an empty result is shown (docs/reference/screens.md#tokens)', async ({ page }) => {
  await makeTokens(page, ['laptop', 'build server'])
  await page.getByRole('textbox', { name: 'Name' }).fill('server')
  await expect(page.getByRole('row', { name: 'build server' })).toBeVisible()
  await expect(page.getByRole('row', { name: 'laptop' })).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Name' }).fill('nobody')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(page.getByText('No matching tokens')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('row', { name: 'laptop' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
})

test('a list that cannot be loaded shows the reason and can be tried again', async ({ page }) => {
  await page.route('**/api/token?*', (route) =>
    route.fulfill({ json: { success: false, message: 'the books are closed' } }),
  )
  await page.reload()
  await expect(page.getByRole('main').getByText('the books are closed')).toBeVisible()
  await page.unroute('**/api/token?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No API tokens yet')).toBeVisible()
})

test('where the clipboard is forbidden, the key is shown to be copied by hand (docs/reference/screens.md#tokens)', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await makeTokens(page, ['laptop'])
  await choose(page, 'laptop', 'Copy key')
  const dialog = page.getByRole('dialog', { name: 'Cannot copy to clipboard, please copy manually' })
  await expect(dialog.getByRole('textbox')).toHaveValue(/^sk-[0-9a-zA-Z]{48}$/)
})

test('a batch, its names, and the chosen ones copied a line each (docs/reference/screens.md#tokens)', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url })
  const troubles = troublesOf(page)
  await page.getByRole('button', { name: 'Add token' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Add token' })
  await drawer.getByLabel('Name').fill('team')
  const [amounts, counts] = [
    drawer.getByRole('group', { name: 'Common amounts' }),
    drawer.getByRole('group', { name: 'Common numbers' }),
  ]
  await expect(amounts.getByRole('button')).toHaveText(['$1', '$10', '$50', '$100', '$500', '$1000'])
  await amounts.getByRole('button', { name: '$1000' }).click()
  await expect(drawer.getByText('Equals 500,000,000 quota')).toBeVisible()
  await expect(counts.getByRole('button')).toHaveText(['10', '20', '30', '100'])
  await counts.getByRole('button', { name: '10', exact: true }).click()
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(page.getByText('10 tokens created')).toBeVisible()
  const rows = await gateway.inner.db.selectFrom('tokens').select('name').execute()
  const names = rows.map(({ name }) => name).sort()
  expect(names).toHaveLength(10)
  expect(names[0]).toBe('team')
  for (const name of names.slice(1)) expect(name).toMatch(/^team-[a-z0-9]{6}$/)

  await page.getByRole('button', { name: 'Copy selected (0)' }).click()
  await expect(page.getByText('Select at least one token')).toBeVisible()
  await tick(page.getByRole('checkbox', { name: 'Select team', exact: true }))
  await tick(page.getByRole('checkbox', { name: `Select ${names[1]}` }))
  const copied = await copiedBy(page, page.getByRole('button', { name: 'Copy selected (2)' }))
  await expect(page.getByText('Copied: 2 keys')).toBeVisible()
  expect(copied.split('\n')).toHaveLength(2)
  for (const line of copied.split('\n')) expect(line).toMatch(/^team(-[a-z0-9]{6})? {4}sk-[0-9a-zA-Z]{48}$/)
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Disable the chosen API tokens (2)?')
  await expect(question).toContainText(String(names[1]))
  await question.getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('Disabled: 2')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy selected (0)' })).toBeVisible()
  await tick(page.getByRole('checkbox', { name: 'Select team', exact: true }))
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted: 1')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Select team', exact: true })).toHaveCount(0)
  expect(troubles).toEqual([])
})

test('limits of models, addresses and group are saved; the key is shown on request (docs/reference/screens.md#tokens)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await makeTokens(page, ['laptop'])
  await choose(page, 'laptop', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit laptop' })
  await drawer.getByText('Limit models').click()
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByText('Select at least one model, or turn off the limit')).toBeVisible()
  await drawer.getByLabel('Allowed models', { exact: true }).last().fill('gpt-4o,')
  await drawer.getByLabel('Allowed models', { exact: true }).last().press('Enter')
  await drawer.getByLabel('Allowed IP addresses').fill('nonsense')
  await drawer.getByLabel('Group').selectOption('default')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(page.getByText('nonsense is not an IP address')).toBeVisible()
  await drawer.getByLabel('Allowed IP addresses').fill('10.0.0.0/8')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  const row = page.getByRole('row', { name: 'laptop' })
  await expect(row).toContainText('Enabled: restricted models')
  await expect(row).toContainText('default')
  const [kept] = await gateway.inner.db.selectFrom('tokens').select(['model_limits', 'allow_ips', 'group']).execute()
  expect(kept).toEqual({ model_limits: 'gpt-4o', allow_ips: '10.0.0.0/8', group: 'default' })

  await choose(page, 'laptop', 'View')
  await expect(page.getByRole('dialog', { name: 'Key of laptop' })).toContainText(/sk-[0-9a-zA-Z]{48}/)
  expect(troubles).toEqual([])
})

test('limits and budgets are set in a section that unfolds, and the list shows how much of them is used', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await makeTokens(page, ['laptop'])
  await choose(page, 'laptop', 'Edit')
  const drawer = page.getByRole('dialog', { name: 'Edit laptop' })
  const cached = drawer.getByRole('checkbox', { name: 'Cache responses' })
  await expect(cached).toBeDisabled()
  await expect(cached).toHaveAccessibleDescription(/The response cache is off on this gateway/)
  await gateway.inner.settings.set('ResponseCacheEnabled', 'true')
  await page.reload()
  await choose(page, 'laptop', 'Edit')
  await drawer.getByRole('button', { name: 'Rate limits and budgets' }).press('Enter')
  await drawer.getByLabel('Requests per minute').fill('60')
  await drawer.getByLabel('Day', { exact: true }).fill('-3')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByLabel('Day', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await drawer.getByLabel('Day', { exact: true }).fill('0.50')
  await expect(drawer.getByText('Equals 250,000 quota')).toBeVisible()
  await drawer.getByLabel('Warning threshold').fill('90')
  await drawer.getByText('Cache responses', { exact: true }).click()
  await expect(cached).toHaveAccessibleDescription(/temperature 0/)
  await drawer.getByLabel('Budget time zone').selectOption('Asia/Shanghai')
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  const tag = page.getByRole('row', { name: 'laptop' }).locator('.token-budget')
  await expect(tag).toHaveText('Day 0%')
  const limits = ['requests_per_minute', 'budget_day', 'budget_time_zone', 'budget_warn_percent'] as const
  const columns = [...limits, 'response_cache'] as const
  const kept = await gateway.inner.db.selectFrom('tokens').select(columns).execute()
  expect(kept).toEqual([
    {
      requests_per_minute: 60,
      budget_day: 250_000,
      budget_time_zone: 'Asia/Shanghai',
      budget_warn_percent: 90,
      response_cache: 1,
    },
  ])
  await choose(page, 'laptop', 'Clear cached responses')
  await expect(page.getByText('0 cached responses removed')).toBeVisible()
  await page.getByRole('button', { name: 'Copy key of laptop' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Budgets of laptop' })).toContainText('$0.00 of $0.50')
  await page.keyboard.press('Escape')

  await choose(page, 'laptop', 'Edit')
  await expect(drawer.getByLabel('Day', { exact: true })).toHaveValue('0.50')
  expect(troubles).toEqual([])
})

test('a chat shows where the key will go before it goes there (docs/reference/screens.md#tokens)', async ({ page }) => {
  await makeTokens(page, ['laptop'])
  await choose(page, 'laptop', 'Chat…')
  const dialog = page.getByRole('dialog', { name: 'Chat with laptop' })
  await expect(dialog).toContainText('It receives the key')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Lobe Chat' })).toContainText('chat-preview.lobehub.com')
  await page.evaluate(() => {
    window.open = (url) => {
      document.title = String(url)
      return null
    }
  })
  await dialog.getByRole('button', { name: 'Lobe Chat' }).click()
  await expect(page).toHaveTitle(/^https:\/\/chat-preview\.lobehub\.com\/.*sk-[0-9a-zA-Z]{48}/)
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
