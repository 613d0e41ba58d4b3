import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { holdTimers } from './held-timers.ts'

/**
 * Bytes of all that a page fetches until it shows its heading and nothing more is on its way, each body gzipped. What it
 * fetches once it has been quiet for a second (renderer/shell/use-quiet.ts) never comes, however late the test looks.
 */
export async function weightOf(page: Page, visit: () => Promise<unknown>): Promise<number> {
  const sizes: Promise<number>[] = []
  const weigh = (response: Response) => {
    const isEndless = response.headers()['content-type']?.startsWith('text/event-stream')
    if (response.ok() && !isEndless) sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  }
  page.on('response', weigh)
  await holdTimers(page)
  await visit()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.querySelector('.bp6-skeleton'))
  page.off('response', weigh)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/**
 * How far what is seen has moved by itself since the page was loaded: the sum of its layout shifts, 0 where nothing did. Waits
 * until its fonts are there.
 */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await document.fonts.ready
    let sum = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // The type of these entries is no part of TypeScript's library.
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        if (!hadRecentInput) sum += value
      }
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    observer.disconnect()
    return sum
  })
}
