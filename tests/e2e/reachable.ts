import { expect, type Page } from '@playwright/test'

/**
 * Expects the keyboard to reach every action of a page's content: with Tab, or with the arrows within a single stop
 * such as a group of radio buttons. Each menu must open with its first entry focused, and return the focus on Escape.
 */
export async function expectReachable(page: Page): Promise<void> {
  await page.evaluate(() => {
    const reached = new Set<Element>()
    Object.assign(globalThis, { reached })
    document.addEventListener('focusin', ({ target }) => target instanceof Element && reached.add(target))
    const main = document.querySelector('main')
    if (main) main.tabIndex = -1
    main?.focus()
  })
  // Time fields have several stops each.
  for (let round = 0; round < MAX_ROUNDS && (await isWithin(page)); round += 1)
    for (let stop = 0; stop < AT_ONCE; stop += 1) await page.keyboard.press('Tab')
  expect(await page.evaluate(unreached, ACTIONS)).toEqual([])
  const menus = page.locator('main [aria-haspopup=menu]:visible:enabled')
  // settled: the walk has covered the whole page
  if ((await menus.count()) === 0) return
  await menus.first().focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('[role=menu] [role^=menuitem]:focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(menus.first()).toBeFocused()
}

const MAX_ROUNDS = 40
const AT_ONCE = 8
const ACTIONS =
  'a[href], button, input, select, textarea, summary, [role=button], [role=slider], [role=tab], [role=radio]'

const isWithin = (page: Page): Promise<boolean> => page.evaluate(() => document.activeElement?.closest('main') !== null)

/** Names of the actions that were not reached; runs on the page. */
function unreached(actions: string): string[] {
  const { reached } = globalThis as unknown as { reached: Set<Element> } // put there before the walk
  const groupOf = (one: Element) => {
    const named = one instanceof HTMLInputElement && one.type === 'radio' && one.name
    return named || one.closest('[role=radiogroup], [role=tablist], [role=toolbar], [role=listbox], [role=grid]')
  }
  const groups = new Set([...reached].map(groupOf).filter(Boolean))
  const isThere = (one: Element) =>
    one.checkVisibility({ visibilityProperty: true }) &&
    !one.matches(':disabled') &&
    !one.closest('[inert], [aria-hidden=true]')
  return [...document.querySelectorAll(`main :is(${actions})`)]
    .filter((one) => isThere(one) && !reached.has(one) && !groups.has(groupOf(one) || ''))
    .map((one) => one.outerHTML.slice(0, 200))
}
