import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What opens over a page, where nothing else is to be looked at: the page below it has been. */
export const OVERLAYS = '.bp6-portal'

/** Expects axe to find nothing on the page as it stands, once whatever moves has come to rest; within a part of it where one is named. */
export const expectAccessible = (page: Page, within?: string): Promise<void> => expectNothing(page, {}, within)

/** The same without colours, where those of the page have been looked at already. */
export const expectAccessibleShape = (page: Page, within?: string): Promise<void> =>
  expectNothing(page, { rules: { 'color-contrast': { enabled: false } } }, within)

/**
 * Expects the same of both themes. The system changes to the other one, which the console follows at once and stays in; of
 * what axe asks, only colours differ then.
 */
export async function expectAccessibleInBothThemes(page: Page, within?: string): Promise<void> {
  await expectAccessible(page, within)
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await page.locator(isDark ? 'html:not(.bp6-dark)' : 'html.bp6-dark').waitFor({ state: 'attached' })
  await expectNothing(page, { runOnly: { type: 'rule', values: ['color-contrast'] } }, within)
}

async function expectNothing(page: Page, options: RunOptions, within = 'html'): Promise<void> {
  await page.locator(within).first().waitFor({ state: 'attached' })
  await standsStill(page)
  // Axe is read by the browser once a document (frames included), and works out nothing but what it finds amiss.
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source)
  const found = await page.evaluate(
    async ({ part, wanted }) => {
      // The script above put it there.
      const { axe } = globalThis as unknown as {
        axe: { run: (part: string, options: RunOptions) => Promise<AxeResults> }
      }
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
  expect(found).toEqual([])
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
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
    while (moving().length > 0) await Promise.allSettled(moving().map(({ finished }) => finished))
  })
