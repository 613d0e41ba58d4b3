import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { holdTimers } from './held-timers.ts'

/**
 * Bytes that a page fetches until its heading is visible and no request is pending, each body gzipped. Prefetches,
 * which start after a second without activity (renderer/shell/use-quiet.ts), are suppressed.
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

/** The page's cumulative layout shift since it was loaded, 0 if nothing moved. Waits for its fonts. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await document.fonts.ready
    let sum = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // The type of these entries is not in TypeScript's library.
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
