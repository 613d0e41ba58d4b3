import { expect, type Page } from '@playwright/test'
import { type Consoles, consoles } from './furnished.ts'
import { answered, message, say } from './play-fixture.ts'
import { test } from './shared-browser.ts'
import { holdSession, pressEscape } from './visitor.ts'

let served: Consoles
test.beforeAll(async () => {
  served = await consoles()
})
test.afterAll(() => served.stop())

/** Opens a page, and skips the bars to its content by keyboard. */
async function enter(page: Page, path: string, at: 'busy' | 'calling' = 'busy'): Promise<void> {
  await holdSession(page.context(), served[at].url)
  await page.goto(served[at].url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.querySelector('main .bp6-skeleton, main [role=status][aria-label]'))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page).toHaveURL(served[at].url + path)
}

/** Names of the elements that Tab reaches, in order; a name ends with `!` if the focus is invisible. */
async function stops(page: Page, max: number): Promise<string[]> {
  const names: string[] = []
  while (names.length < max) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused?.closest('main')) return
      const label = (focused as HTMLInputElement).labels?.[0]?.textContent // only elements with labels have the property
      const name = focused.ariaLabel || label || focused.textContent || ''
      const drawn = [focused, focused.nextElementSibling].some((one) => {
        if (!one) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
        return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
      })
      return name.trim() + (drawn ? '' : '!')
    })
    if (name === undefined) break
    names.push(name)
  }
  return names
}

test('the dashboard by keyboard: its figures, filters and bars, and its facts have names', async ({ page }) => {
  await enter(page, '/detail')
  const names = await stops(page, 15)
  expect(names).toEqual([
    expect.stringMatching(/^http.*Copy address$/),
    'vs $0.00 at this time yesterday',
    'Errors: 1',
    'Time range: Last 24 hours',
    'Granularity',
    'Username',
    'Reset',
    'Cost',
    'Export CSV',
    'Cost by hour',
    ...['gpt-4o', 'gpt-4o-mini', 'gpt-4o'],
    expect.any(String),
    expect.any(String),
  ])
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Dashboard" [level=1]
      - region "Today":
        - heading "Today" [level=2]
        - term: Requests
        - definition
        - definition
        - term: Cost
  `)
})

test('connect a client by keyboard: arrows go through the clients, Tab through the fields of one', async ({ page }) => {
  await enter(page, '/connect/client')
  expect(await stops(page, 6)).toEqual([
    'API reference',
    'API token',
    'New',
    expect.stringMatching(/Copy address$/),
    expect.stringMatching(/Copy key$/),
    expect.stringMatching(/^Model/),
  ])
  await page.keyboard.press('Tab')
  await expect(page.getByRole('tab', { name: 'Claude Code' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Codex' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tabpanel', { name: 'Codex' })).toBeVisible()
  const command = expect.stringMatching(/^npx --no switchyard connect codex /)
  expect((await stops(page, 9)).slice(-3)).toEqual(['Copy Codex', command, 'Copy command'])
})

test('connect a provider by keyboard: key, search, one stop for all vendors, the test; Enter tests', async ({
  page,
}) => {
  await enter(page, '/connect/provider')
  expect(await stops(page, 9)).toEqual(['API key', 'Show password', 'Search providers', 'OpenAI', 'Test connection'])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Anthropic Claude' })).toBeChecked()
  await page.getByLabel('API key', { exact: true }).press('Enter')
  await expect(page.getByLabel('API key', { exact: true })).toHaveAccessibleDescription('Paste the key first')
})

test('channels by keyboard: the toolbar, a row’s own controls, its form and its tests', async ({ page }) => {
  await enter(page, '/channel')
  const names = await stops(page, 24)
  expect(names.slice(0, 16)).toEqual([
    'Routing explorer',
    'Connect a provider',
    'Find local models',
    'Add channel',
    'ID, name, key or address',
    'Model',
    'Group',
    'Type',
    'Status',
    'Sort by ID',
    'Select multiple',
    'Group by tag',
    'Refresh',
    'Actions for all channels',
    'Column settings',
    'Name',
  ])
  expect(names.filter((name) => name === '' || name.endsWith('!'))).toEqual([])
  const channel = page.getByRole('link', { name: 'Old account' })
  await channel.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit Old account' }).getByLabel('Name', { exact: true })).toBeFocused()
  await pressEscape(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(channel).toBeFocused()
  await page.getByRole('button', { name: 'Test individual models of Old account' }).press('Enter')
  await expect(page.getByRole('dialog').getByPlaceholder('Search models')).toBeFocused()
  await expect(page.getByRole('dialog').getByRole('status').first()).toHaveAttribute('aria-live', 'polite')
  await pressEscape(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the log by keyboard: an entry is named by its time and model, opens with Enter, and its values have a menu', async ({
  page,
}) => {
  await enter(page, '/log')
  const names = await stops(page, 23)
  expect(names.slice(0, 16)).toEqual([
    'Usage logs',
    'Drawing logs',
    'Task logs',
    'Type',
    expect.stringMatching(/^Time range/),
    'Token',
    'Model',
    'Group',
    'Channel ID',
    'Username',
    'More',
    'Reset',
    'Live',
    'Saved filters',
    'Export',
    'Column settings',
  ])
  expect(names.filter((name) => name === '' || name.endsWith('!'))).toEqual([])
  const opener = page.getByRole('button', { name: /^Details of .*:\d\d gpt-4o$/ }).first()
  await opener.press('Enter')
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  const model = page.getByRole('button', { name: 'gpt-4o', exact: true }).first()
  await model.press('Enter')
  await page.getByRole('menuitem').first().waitFor()
  await pressEscape(page)
  await expect(model).toBeFocused()
})

test('the playground by keyboard: a message is sent with Enter, the focus stays, and a screen reader gets the answer', async ({
  page,
}) => {
  await enter(page, '/playground', 'calling')
  await expect(message(page)).toBeVisible()
  expect((await stops(page, 20)).filter((name) => name === '' || name.endsWith('!'))).toEqual([])
  await say(page, 'Hello')
  await answered(page)
  await expect(message(page)).toBeFocused()
  await expect(page.getByRole('log')).toHaveAttribute('aria-live', 'off')
  await expect(page.locator('.play-announcer')).toHaveText(/^gpt-4o-mini has (answered|finished responding)$/)
})

test('a page change is announced to a screen reader, the first page is not', async ({ page }) => {
  await enter(page, '/token')
  const said = page.locator('.layout-announcer')
  await expect(said).toHaveText('')
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Usage logs' }).press('Enter')
  await expect(said).toHaveText('Usage logs · Switchyard')
})
