import { expect, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { expectAccessible } from './accessible.ts'
import { expectBoxes } from './boxes.ts'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { pressEscape, signIn, tick, troublesOf } from './visitor.ts'

let gateway: ServedConsole
test.beforeAll(async () => {
  gateway = await readyGateway()
})
test.afterAll(() => gateway.stop())
test.afterEach(async () => {
  await gateway.inner.settings.set('DefaultCollapseSidebar', 'false')
  await gateway.inner.settings.set('Footer', '')
})

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Menu' })

test('the sidebar leads to every page, is absent where it should be, and remembers its width (docs/reference/screens.md#shell)', async ({
  page,
}) => {
  const troubles = troublesOf(page)
  await page.goto(`${gateway.url}/login`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect(sidebar(page)).toHaveCount(0)
  await signIn(page, gateway.url)
  for (const name of ['Dashboard', 'Usage logs', 'Channels', 'Connect a client', 'Playground', 'API tokens']) {
    await sidebar(page).getByRole('link', { name, exact: true }).click()
    await expect(sidebar(page).getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  }
  await expect.poll(() => widthOf(page)).toBe(200)
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await expect.poll(() => widthOf(page)).toBe(60)
  expect(await page.evaluate(() => localStorage.getItem('default_collapse_sidebar'))).toBe('true')
  await expectAccessible(page)
  await page.reload()
  await sidebar(page).getByRole('link', { name: 'Usage logs' }).hover()
  await expect(page.getByRole('tooltip').or(page.locator('.bp6-tooltip'))).toHaveText('Usage logs')
  await expect.poll(() => widthOf(page)).toBe(60)
  await expectBoxes([sidebar(page).getByRole('link', { name: 'Usage logs' })], ({ height }) =>
    expect(height).toBeGreaterThanOrEqual(30),
  )
  await page.goto(gateway.url)
  await expect(page).toHaveURL(`${gateway.url}/detail`)
  expect(troubles).toEqual([])
})

test('the sidebar begins as the operator has set it, until the person chooses', async ({ page }) => {
  const { settings } = gateway.inner
  await settings.set('DefaultCollapseSidebar', 'true')
  await signIn(page, gateway.url)
  await expect.poll(() => widthOf(page)).toBe(60)
  await page.getByRole('button', { name: 'Expand sidebar' }).click()
  await expect.poll(() => widthOf(page)).toBe(200)
  await page.reload()
  await expect.poll(() => widthOf(page)).toBe(200)
  await settings.set('DefaultCollapseSidebar', 'false')
  await page.evaluate(() => localStorage.setItem('default_collapse_sidebar', 'true'))
  await page.reload()
  await expect.poll(() => widthOf(page)).toBe(60)
})

test('the administrator’s pages are shown to administrators only', async ({ page }) => {
  await signIn(page, gateway.url)
  await page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('user') ?? '{}')
    localStorage.setItem('user', JSON.stringify({ ...user, role: 1 }))
  })
  await page.goto(`${gateway.url}/channel`)
  await expect(page).toHaveURL(`${gateway.url}/detail`)
  await expect(sidebar(page).getByRole('link', { name: 'Usage logs' })).toBeVisible()
  await expect(sidebar(page).getByRole('link', { name: 'Channels' })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Open the command palette' }).fill('channels')
  await expect(page.getByText('No results')).toBeVisible()
})

test('the shortcuts: / focuses the search, ? lists them all, and neither works while typing', async ({ page }) => {
  await signIn(page, gateway.url)
  await addToken(page)
  await page.reload()
  await page.getByRole('row', { name: 'laptop' }).waitFor()
  await page.keyboard.press('/')
  await expect(page.getByRole('search').getByLabel('Name')).toBeFocused()
  await page.keyboard.type('a/b?')
  await expect(page.getByRole('search').getByLabel('Name')).toHaveValue('a/b?')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Shift+?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const label of [
    'Open the command palette',
    'Focus the search field',
    'Show keyboard shortcuts',
    'Go to “Usage logs”',
  ]) {
    await expect(dialog.getByText(label)).toBeVisible()
  }
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('g and the key of a page lead there, but not while typing or with an open dialog', async ({ page }) => {
  await signIn(page, gateway.url)
  await page.getByRole('heading', { level: 1 }).click()
  for (const [key, path] of Object.entries({
    l: '/log',
    c: '/channel',
    v: '/connect/provider',
    k: '/connect/client',
  })) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await expect(page).toHaveURL(gateway.url + path)
  }
  await page.keyboard.press('Shift+?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.type('gl')
  await pressEscape(page)
  await page.keyboard.press('l')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveCount(0)
  await expect(page).toHaveURL(`${gateway.url}/connect/client`)
  await page.keyboard.type('gl')
  await expect(page).toHaveURL(`${gateway.url}/log`)
  await page.getByRole('heading', { level: 1, name: 'Usage logs' }).waitFor()
  await page.getByLabel('Model', { exact: true }).fill('')
  await page.keyboard.type('gt')
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue('gt')
  await expect(page).toHaveURL(`${gateway.url}/log`)
})

test('the footer shows the operator’s own HTML, without what could harm', async ({ page }) => {
  await signIn(page, gateway.url)
  await expect(page.getByRole('contentinfo')).toContainText(`© ${new Date().getFullYear()} Switchyard`)
  const over = ['position: fixed; inset: 0', 'position: absolute; top: -3000px; left: 0; width: 100%; height: 6000px']
  const layers = over.map((style) => `<i style="${style}; z-index: 99999; box-shadow: 0 0 0 9999px red"></i>`)
  const harmful = `<b>Ours</b><img alt="" src=x onerror="document.title=1"><script>document.title = 2</script>${layers.join('')}`
  await page.evaluate(
    (value) =>
      fetch('/api/option', {
        method: 'PUT',
        headers: {
          'content-type': 'application/json',
          'new-api-user': String(JSON.parse(localStorage.getItem('user') ?? '{}').id),
        },
        body: JSON.stringify({ key: 'Footer', value }),
      }),
    harmful,
  )
  await page.reload()
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByText('Ours')).toBeVisible()
  expect(await footer.innerHTML()).not.toMatch(/script|onerror/)
  // Whatever position its HTML requests, the footer covers no elements above it.
  const isCovered = () => document.elementFromPoint(innerWidth / 2, innerHeight / 3)?.closest('.clean-html') !== null
  expect(await page.evaluate(isCovered)).toBe(false)
})

test('a page that loads slowly shows its shape, and the frame stays', async ({ page }) => {
  await signIn(page, gateway.url)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/log-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await page.getByRole('heading', { name: 'API tokens', exact: true }).waitFor()
  await sidebar(page).getByRole('link', { name: 'Usage logs' }).click()
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(sidebar(page)).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Usage logs' })).toBeVisible()
})

test('the palette finds channels, users, tokens and models, and acts on them', async ({ page }) => {
  const vendor = await servedVendor()
  await vendor.channel({ name: 'Zephyr account', models: 'zephyr-large' })
  await vendor.person('zephyrine')
  dataOf(await vendor.root.post('/api/token', { name: 'zephyr laptop', unlimited_quota: true }))
  await signIn(page, vendor.url, '/token')
  const palette = page.getByRole('textbox', { name: 'Open the command palette' })
  const find = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await palette.fill(text)
  }
  await find('zephyr')
  for (const name of ['#1 Zephyr account', 'zephyrine', 'zephyr laptop', 'zephyr-large'])
    await expect(page.getByRole('menuitem', { name })).not.toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Show usage log of zephyrine' }).click()
  await expect(page).toHaveURL(/\/log\?user=%3Dzephyrine&from=$/)
  await find('zephyrine')
  await page.getByRole('menuitem', { name: 'Add quota for zephyrine…' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('3')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('The balance of zephyrine is now $5.00')).toBeVisible()
  await expect(page).toHaveURL(/\/user$/)
  await find('Zephyr acc')
  await page.getByRole('menuitem', { name: 'Disable Zephyr account' }).click()
  await expect(page.getByText('Zephyr account is disabled')).toBeVisible()
  const [channel] = dataOf(await vendor.root.get('/api/channel/?p=0&page_size=10'))
  expect(channel).toMatchObject({ name: 'Zephyr account', status: 2 })
  await find('req_0123456789abcdef')
  await page.getByRole('menuitem', { name: 'Show request req_0123456789abcdef' }).click()
  await expect(page).toHaveURL(/\/log\?request=req_0123456789abcdef&open=req_0123456789abcdef&from=$/)
  await vendor.stop()
})

test('a table sorts, lets rows be chosen, and remembers its columns', async ({ page }) => {
  const vendor = await servedVendor()
  for (const name of ['beta', 'alpha', 'gamma']) await vendor.channel({ name })
  await signIn(page, vendor.url, '/channel')
  const table = page.getByRole('table', { name: 'Channels' })
  const names = () =>
    table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.textContent?.match(/alpha|beta|gamma/)?.[0]))
  const heading = table.getByRole('columnheader', { name: 'Name' })
  await heading.getByRole('button').press('Enter')
  await expect(heading).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(names).toEqual(['alpha', 'beta', 'gamma'])
  await heading.getByRole('button').press('Enter')
  await expect(heading).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(names).toEqual(['gamma', 'beta', 'alpha'])

  // By keyboard: the second row, selected and opened.
  await page.getByText('Select multiple').click()
  await page.locator('h1').click()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(table.getByRole('row', { name: 'beta' })).toBeFocused()
  await page.keyboard.press('x')
  await expect(table.getByRole('checkbox', { name: 'Select beta' })).toBeChecked()
  await page.keyboard.press('x')
  await page.keyboard.press('e')
  await expect(page.getByRole('dialog', { name: 'Edit beta' })).toBeVisible()
  await pressEscape(page)

  await tick(table.getByRole('checkbox', { name: 'Select all on this page' }))
  await expect(table.getByRole('checkbox', { name: 'Select beta' })).toBeChecked()
  await tick(table.getByRole('checkbox', { name: 'Select beta' }), false)
  await expect(table.getByRole('checkbox', { name: 'Select all on this page' })).not.toBeChecked()

  await page.getByRole('button', { name: 'Column settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Column settings' })
  await dialog.getByText('Weight').click()
  await expect(dialog.getByRole('checkbox', { name: 'Weight' })).not.toBeChecked()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(table.getByRole('columnheader', { name: 'Weight' })).toHaveCount(0)
  await page.reload()
  await expect(table.getByRole('columnheader', { name: 'Name' })).toBeVisible()
  await expect(table.getByRole('columnheader', { name: 'Weight' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Column settings' }).click()
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Weight' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(table.getByRole('columnheader', { name: 'Weight' })).toBeVisible()
  await vendor.stop()
})

const widthOf = (page: Page) =>
  page.locator('.sidebar').evaluate((box) => Math.round(box.getBoundingClientRect().width))

async function addToken(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add token' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('laptop')
  await page.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}
