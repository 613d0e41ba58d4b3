import { expect, type Page } from '@playwright/test'
import { readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { signIn, troublesOf } from './visitor.ts'

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

test('by keyboard only: the palette goes to a page, does its main action, and changes the theme', async ({ page }) => {
  const troubles = troublesOf(page)
  await signIn(page, gateway.url)
  await command(page, 'usage')
  await expect(page).toHaveURL(`${gateway.url}/log`)
  await command(page, 'add token')
  await expect(page).toHaveURL(`${gateway.url}/token`)
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await command(page, 'theme dark')
  await expect(page.locator('html')).toHaveClass(/bp6-dark/)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('textbox', { name: 'Open the command palette' })).toBeFocused()
  await page.keyboard.press('Escape')
  await command(page, '简体中文')
  await expect(page.getByRole('heading', { name: 'API 令牌', exact: true })).toBeVisible()
  await command(page, 'english')
  await expect(page.getByRole('heading', { name: 'API tokens', exact: true })).toBeVisible()
  await command(page, 'log out')
  await expect(page).toHaveURL(`${gateway.url}/login`)
  expect(troubles).toEqual([])
})

test('on a phone the menu waits behind a button, for visitors the public pages', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(gateway.url)
  await page.getByRole('button', { name: 'Pages' }).click()
  await page.getByRole('menuitem', { name: 'About' }).click()
  await expect(page).toHaveURL(`${gateway.url}/about`)
  await signIn(page, gateway.url)
  await expect(sidebar(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Menu' }).click()
  await sidebar(page).getByRole('link', { name: 'Usage logs' }).click()
  await expect(page).toHaveURL(`${gateway.url}/log`)
  await expect(sidebar(page)).toHaveCount(0)
})

test('unsaved changes need a confirmation before they are lost, on every path out of the page', async ({ page }) => {
  await signIn(page, gateway.url, '/log')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await command(page, 'add channel')
  const drawer = page.getByRole('dialog', { name: 'Add channel' })
  await drawer.getByLabel('Name', { exact: true }).fill('half done')
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard changes in “Add channel”?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(drawer.getByLabel('Name', { exact: true })).toHaveValue('half done')
  await page.goBack()
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Discard' }).click()
  // The form has its own address, below that of the list.
  await expect(page).toHaveURL(`${gateway.url}/channel`)
})

/** Opens the palette, types a part of a command's name and runs it. */
async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: /Open the command palette|打开命令面板/ }).fill(name)
  await page.getByRole('textbox', { name: /Open the command palette|打开命令面板/ }).press('Enter')
  await expect(page.getByRole('textbox', { name: /Open the command palette|打开命令面板/ })).toHaveCount(0)
}
