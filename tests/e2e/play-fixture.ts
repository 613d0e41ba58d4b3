import { expect, type Locator, type Page } from '@playwright/test'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { signIn } from './visitor.ts'

/** Opens a playground as the administrator, with a vendor and three models, two of which have a price. */
export async function openPlayground(page: Page): Promise<ServedVendor> {
  const vendor = await servedVendor()
  await vendor.channel({ models: 'gpt-4o,gpt-4o-mini,claude-3' })
  await vendor.root.put('/api/option', { key: 'ModelRatio', value: '{"gpt-4o":1.25,"gpt-4o-mini":0.075}' })
  await signIn(page, vendor.url, '/playground')
  await expect(page.getByPlaceholder('Type a message')).toBeVisible()
  return vendor
}

/** The visible responses. */
export const answers = (page: Page): Locator => page.getByRole('article', { name: /^Response/ })

/** The input for a message. */
export const message = (page: Page): Locator => page.getByLabel('Message', { exact: true })

export async function say(page: Page, text: string): Promise<void> {
  await message(page).fill(text)
  await message(page).press('Enter')
}

/** Chooses an entry from the menu of less frequent actions. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}

export const answered = (page: Page): Promise<void> => expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
