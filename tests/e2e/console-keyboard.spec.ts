import { expect, type Page } from '@playwright/test'
import { type Consoles, consoles } from './furnished.ts'
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

test('tokens by keyboard: the form, the menu of a row and its questions give the focus back', async ({ page }) => {
  await enter(page, '/token')
  const names = await stops(page, 12)
  expect(names.slice(0, 6)).toEqual([
    'Add token',
    'Name',
    'Key',
    'Column settings',
    'Copy selected (0)',
    'Select all on this page',
  ])
  expect(names.filter((name) => name === '' || name.endsWith('!'))).toEqual([])
  const add = page.getByRole('button', { name: 'Add token' })
  await add.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Add token' }).getByLabel('Name')).toBeFocused()
  await pressEscape(page)
  await expect(add).toBeFocused()
  // The Enter that saves a form does not reopen it, however fast the response is.
  await add.press('Enter')
  await page.getByRole('dialog').getByLabel('Name').fill('by keyboard')
  await page.keyboard.down('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.up('Enter')
  await expect(add).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const more = page.getByRole('button', { name: 'Actions for guest' })
  await more.press('Enter')
  await page.getByRole('menu', { name: 'Actions for guest' }).waitFor()
  await pressEscape(page)
  await expect(more).toBeFocused()
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit guest' }).getByLabel('Name')).toBeFocused()
  await pressEscape(page)
  await expect(more).toBeFocused()
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await pressEscape(page)
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByRole('row', { name: 'guest' })).toBeVisible()
})
