import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Overlays such as dialogs: while one is open, only it is examined, since the page below has been already. */
export const OVERLAYS = '.bp6-portal'

/** Expects axe to find no violations on the page, or in the given part, once all animations have ended. */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  await expectAccessibleShape(page, within)
  await expectContrast(page, within)
}

/** As `expectAccessible`, but without the rules for colours, for a page whose colours have been checked already. */
export async function expectAccessibleShape(page: Page, within = 'html'): Promise<void> {
  await readyForAxe(page, within)
  const options = { rules: { 'color-contrast': { enabled: false } } }
  expect(await foundBy(page, within, options)).toEqual([])
}

/**
 * As `expectAccessible`, but in both themes. Switches the system's theme, which the console follows at once, and leaves
 * it switched; of axe's rules, only those for colours depend on it.
 */
export async function expectAccessibleInBothThemes(page: Page, within?: string): Promise<void> {
  await expectAccessible(page, within)
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await page.locator(isDark ? 'html:not(.bp6-dark)' : 'html.bp6-dark').waitFor({ state: 'attached' })
  await expectContrast(page, within)
}

/**
 * By how many pixels the page, its content and, unless it may scroll, its list overflow. While a dialog is open a list
 * keeps its layout at any width, so that the dialog stays open.
 */
export const overhangs = (page: Page, hasList = true) =>
  page.evaluate(
    (boxes) =>
      boxes
        .map((box) => document.querySelector(box))
        .map((box) => (box ? box.scrollWidth - box.clientWidth : 0))
        .filter((pixels) => pixels > 0),
    ['html', 'main', ...(hasList ? ['body:not(:has([role=dialog], [role=alertdialog])) .page-table-card'] : [])],
  )

const contrast = { runOnly: { type: 'rule', values: ['color-contrast'] } } satisfies RunOptions

/** Styles of text, as `textsOf` distinguishes them, in which axe has found no violation. */
const readable = new Set<string>()

/**
 * Expects every text to have enough contrast. Axe takes most of its time for this, and a console has thousands of texts
 * in few styles: it examines only those in styles not yet known to be readable, and all of a document with nested
 * documents.
 */
async function expectContrast(page: Page, within = 'html'): Promise<void> {
  await readyForAxe(page, within)
  if (page.frames().length > 1) return expect(await foundBy(page, within, contrast)).toEqual([])
  const { found, passed } = await page.evaluate(unreadTexts, { within, known: [...readable], options: contrast })
  expect(found).toEqual([])
  for (const way of passed) readable.add(way)
}

/** Waits for the part and for its animations, and loads axe once per document, frames included. */
async function readyForAxe(page: Page, within: string): Promise<void> {
  await page.locator(within).first().waitFor({ state: 'attached' })
  await standsStill(page)
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source)
}

type Axe = { run: (part: unknown, options: RunOptions) => Promise<AxeResults> }

/** Violations that axe finds, without its other results. */
const foundBy = (page: Page, within: string, options: RunOptions): Promise<string[]> =>
  page.evaluate(
    async ({ part, wanted }) => {
      // `readyForAxe` has loaded it.
      const { axe } = globalThis as unknown as { axe: Axe }
      const { violations } = await axe.run(part, wanted)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    },
    {
      part: within,
      wanted: {
        ...options,
        iframes: within === 'html',
        resultTypes: ['violations'],
        selectors: false,
      } satisfies RunOptions,
    },
  )

/**
 * In the browser: examines the texts in unknown styles, and returns the violations and the styles that need no further
 * check. A style is everything that contrast depends on: colour, size and weight, and every background up to the
 * page's. An element outside the flow lies over whatever is painted below it; where that cannot be determined, axe
 * examines it every time. Texts that axe skips because they belong to disabled controls are remembered by their path.
 */
async function unreadTexts({
  within,
  known,
  options,
}: {
  within: string
  known: string[]
  options: RunOptions
}): Promise<{ found: string[]; passed: string[] }> {
  const { axe } = globalThis as unknown as { axe: Axe }
  const knownWays = new Set(known)
  const ownGround = (element: Element) => {
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(element)
    const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join(' ')
    return {
      // In any notation, a colour without alpha is opaque.
      isCovered: !/^rgba|\//.test(backgroundColor) && opacity === '1',
      own: own === 'rgba(0, 0, 0, 0) none 1 none normal' ? '' : `${own} / `,
    }
  }
  const grounds = new WeakMap<Element, string>()
  const groundOf = (element: Element): string => {
    const cached = grounds.get(element)
    if (cached !== undefined) return cached
    const { isCovered, own } = ownGround(element)
    const isLifted = ['absolute', 'fixed', 'sticky'].includes(getComputedStyle(element).position)
    const above = element.parentElement ? groundOf(element.parentElement) : ''
    const ground = isCovered ? own : `${own}${isLifted ? 'lifted / ' : ''}${above}`
    grounds.set(element, ground)
    return ground
  }
  /** The colours painted at the two corners of an element, from the element down to the first opaque background. */
  const seenBelow = (element: Element): string | undefined => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const ends = [left + 1, right - 1].map((x) => document.elementsFromPoint(x, (top + bottom) / 2))
    if (!ends.every((stack) => stack.includes(element))) return
    return ends
      .map((stack) => {
        const below = stack.slice(stack.indexOf(element)).map(ownGround)
        const last = below.findIndex(({ isCovered }) => isCovered)
        return (last < 0 ? below : below.slice(0, last + 1)).map(({ own }) => own).join('')
      })
      .join(' and ')
  }
  /** Texts that must be examined every time have no style. */
  const wayOf = (element: Element): string | undefined => {
    const { color, fontSize, fontWeight, textShadow, webkitTextFillColor } = getComputedStyle(element)
    const ground = groundOf(element)
    const seen = ground.includes('lifted / ') ? seenBelow(element) : ground
    // Fields are painted in their own way; all other elements are alike.
    const field = element.matches('input, select, textarea') ? element.tagName : ''
    return seen === undefined
      ? undefined
      : [field, color, fontSize, fontWeight, textShadow, webkitTextFillColor, seen].join(' ')
  }
  /** The path of a text: the same one is always visible or always hidden. */
  const placeOf = (element: Element): string => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const isInSight = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2).includes(element)
    return [location.pathname, wayOf(element), isInSight, element.textContent].join(' ')
  }
  const hasText = (element: Element) =>
    /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
  // Axe skips disabled and invisible elements.
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    const isVisible = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    return isVisible && width > 1 && height > 1 && !element.closest(':disabled, [aria-disabled=true], [inert]')
  }
  const isUnread = (element: Element) => {
    const way = wayOf(element)
    return way === undefined || !(knownWays.has(way) || knownWays.has(placeOf(element)))
  }
  const parts = [...document.querySelectorAll(within)].flatMap((part) => [part, ...part.querySelectorAll('*')])
  const unread = [...new Set(parts)].filter((part) => hasText(part) && isSeen(part) && isUnread(part))
  if (unread.length === 0) return { found: [], passed: [] }
  const resultTypes = ['violations', 'passes', 'incomplete'] as const
  const told = { ...options, elementRef: true, resultTypes, selectors: false }
  const { violations, passes, incomplete } = await axe.run({ include: unread }, told as unknown as RunOptions)
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  const elementsOf = (results: typeof passes) =>
    results.flatMap(({ nodes }) => nodes.flatMap(({ element }) => (element ? [element as Element] : [])))
  const answered = new Set([violations, passes, incomplete].flatMap(elementsOf))
  const passed = elementsOf(passes).flatMap((element) => wayOf(element) ?? [])
  return { found, passed: [...passed, ...unread.filter((element) => !answered.has(element)).map(placeOf)] }
}

/** Resolves once no animations but endless ones are running. */
export const standsStill = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        )
    // Waits two frames without requestAnimationFrame, which a test may have stopped with the clock.
    await document.documentElement.animate([], 1).finished
    while (moving().length > 0) await Promise.allSettled(moving().map(({ finished }) => finished))
  })
