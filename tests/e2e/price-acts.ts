import { expect, type Locator, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import type { ServedVendor } from './served-vendor.ts'
import { signIn } from './visitor.ts'

/** Opens the settings with one of the three price editors. */
export async function openPrices(page: Page, { url }: ServedVendor, tab: string): Promise<void> {
  await signIn(page, url, '/setting?tab=operation')
  await page.getByRole('tab', { name: tab }).click()
}

/** The panel of prices or of groups. */
export const panelOf = (page: Page, name: 'ratios' | 'groups'): Locator =>
  page.locator(`[data-section="operation/${name}"]`).getByRole('tabpanel')

/** The rows of a list, without their second lines. */
export const rowsOf = (panel: Locator): Locator => panel.locator('tbody > tr:not(.page-table-second)')

/** A number field in a model's row. */
export const numberIn = (page: Page, what: string, model: string): Locator =>
  panelOf(page, 'ratios').getByRole('textbox', { name: `${what} of ${model}`, exact: true })

/** The stored value of a JSON option. */
export async function storedMap({ root }: ServedVendor, key: string): Promise<unknown> {
  const list = dataOf(await root.get('/api/option')) as { key: string; value: string }[]
  return JSON.parse(list.find((one) => one.key === key)?.value ?? 'null')
}

/** Stores a JSON option as another client would. */
export async function store({ root }: ServedVendor, key: string, value: unknown): Promise<void> {
  dataOf(await root.put('/api/option', { key, value: JSON.stringify(value) }))
}

/** Presses the save button, and waits until it has saved. */
export async function applies(page: Page, panel: Locator, verb = 'Apply changes'): Promise<void> {
  await panel.getByRole('button', { name: verb, exact: true }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
}

/** Opens a price editor, and scrolls to a selector in it; works in every language. */
export const showPrices =
  (tab: 'json' | 'visual' | 'unset', within?: string) =>
  async (page: Page): Promise<void> => {
    const panel = page.locator('[data-section="operation/ratios"]')
    await panel.locator(`[data-tab-id="${tab}"]`).click()
    await panel.locator('.price-editor:visible').first().waitFor()
    if (within) await panel.locator(within).first().click()
    await panel.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  }

export async function showGroups(page: Page): Promise<void> {
  const panel = page.locator('[data-section="operation/groups"]')
  await panel.locator('.price-editor:visible').first().waitFor()
  await panel.evaluate((element) => element.scrollIntoView({ block: 'start' }))
}
