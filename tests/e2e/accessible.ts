import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What opens over a page, where nothing else is to be looked at: the page below it has been. */
export const OVERLAYS = '.bp6-portal'

/** Expects axe to find nothing on the page as it stands, once whatever moves has come to rest; within a part of it where one is named. */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  await expectAccessibleShape(page, within)
  await expectContrast(page, within)
}

/** The same without colours, where those of the page have been looked at already. */
export async function expectAccessibleShape(page: Page, within = 'html'): Promise<void> {
  await readyForAxe(page, within)
  const options = { rules: { 'color-contrast': { enabled: false } } }
  expect(await foundBy(page, within, options)).toEqual([])
}

/**
 * Expects the same of both themes. The system changes to the other one, which the console follows at once and stays in; of
 * what axe asks, only colours differ then.
 */
export async function expectAccessibleInBothThemes(page: Page, within?: string): Promise<void> {
  await expectAccessible(page, within)
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await page.locator(isDark ? 'html:not(.bp6-dark)' : 'html.bp6-dark').waitFor({ state: 'attached' })
  await expectContrast(page, within)
}

/**
 * By how many pixels the page, its content and, unless it may scroll, its list are wider than there is room. Under a dialog a
 * list keeps its form however the window changes, so as not to close it.
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

/** Ways of writing a text, as `textsOf` tells them apart, that axe has found to be readable. */
const readable = new Set<string>()

/**
 * Expects every text to stand out from what is behind it. Axe takes most of its time for this, and a console writes thousands
 * of texts in few ways: it is asked about those of a way that it has not found readable before, and about all of a document
 * with others inside.
 */
async function expectContrast(page: Page, within = 'html'): Promise<void> {
  await readyForAxe(page, within)
  if (page.frames().length > 1) return expect(await foundBy(page, within, contrast)).toEqual([])
  const { found, passed } = await page.evaluate(unreadTexts, { within, known: [...readable], options: contrast })
  expect(found).toEqual([])
  for (const way of passed) readable.add(way)
}

/** Waits for the part and for rest. Axe is read by the browser once a document, frames included. */
async function readyForAxe(page: Page, within: string): Promise<void> {
  await page.locator(within).first().waitFor({ state: 'attached' })
  await standsStill(page)
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source)
}

type Axe = { run: (part: unknown, options: RunOptions) => Promise<AxeResults> }

/** What axe finds amiss; nothing else is worked out. */
const foundBy = (page: Page, within: string, options: RunOptions): Promise<string[]> =>
  page.evaluate(
    async ({ part, wanted }) => {
      // `readyForAxe` put it there.
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
 * In the browser: asks axe about the texts whose way of being written is not known, and answers what is amiss and which ways
 * it need not be asked about again. A way is all that contrast depends on: colour, size and weight, and every background up to
 * the page's. What is lifted out of the flow lies on what is seen below it; where that cannot be told, axe is asked each time.
 * Texts that axe says nothing of, for they belong to what is switched off, are known as they stand.
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
      // Whatever form a colour is told in: one without an alpha lets nothing through.
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
  /** What is painted at the two ends of an element, from it down to the first ground that covers the rest. */
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
  /** What is not known whatever was learnt has no way. */
  const wayOf = (element: Element): string | undefined => {
    const { color, fontSize, fontWeight, textShadow, webkitTextFillColor } = getComputedStyle(element)
    const ground = groundOf(element)
    const seen = ground.includes('lifted / ') ? seenBelow(element) : ground
    // A field is written in by itself; any other element is as the next one.
    const field = element.matches('input, select, textarea') ? element.tagName : ''
    return seen === undefined
      ? undefined
      : [field, color, fontSize, fontWeight, textShadow, webkitTextFillColor, seen].join(' ')
  }
  /** The same text in its place: it can be seen or it cannot. */
  const placeOf = (element: Element): string => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const isInSight = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2).includes(element)
    return [location.pathname, wayOf(element), isInSight, element.textContent].join(' ')
  }
  const hasText = (element: Element) =>
    /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
  // Axe passes over what is switched off and what nobody sees.
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

/** Resolves once no animation but the endless ones is running. */
export const standsStill = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        )
    // Two frames, also where a test has stopped the clock, and the page's own requests for a frame with it.
    await document.documentElement.animate([], 1).finished
    while (moving().length > 0) await Promise.allSettled(moving().map(({ finished }) => finished))
  })
