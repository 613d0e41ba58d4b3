import { chromium, type Page } from '@playwright/test'
import { chromiumLaunch } from './chromium.ts'
import { consoles } from './furnished.ts'
import { signIn } from './visitor.ts'

/**
 * Measures how long a change of page takes in the last build of the console: from the click in the sidebar to the first
 * frame with the other page's heading. Run it with Node on an idle machine; it exits 1 when a median is 100 ms or more.
 */
const rounds = 9
const mostMs = 100

const served = await consoles()
const browser = await chromium.launch(chromiumLaunch())
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await signIn(page, served.busy.url)
  const paths = await page
    .locator('.side-menu a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const times = new Map(paths.map((path) => [path, [] as number[]]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const path of paths) {
      const ms = await timeTo(page, path)
      if (round > 0 && ms !== undefined) times.get(path)?.push(ms)
    }
  }
  for (const [path, all] of times) report(path, all)
} finally {
  await browser.close()
  await served.stop()
}

/** Milliseconds until the page is painted; undefined when that page is already shown. */
async function timeTo(page: Page, path: string): Promise<number | undefined> {
  const ms = await page.evaluate(async (to) => {
    if (window.location.pathname === to) return undefined
    const before = document.querySelector('main h1')?.textContent
    const start = performance.now()
    document.querySelector<HTMLElement>(`.side-menu a[href="${to}"]`)?.click()
    while ([before, undefined].includes(document.querySelector('main h1')?.textContent)) {
      await new Promise(requestAnimationFrame)
    }
    await new Promise(requestAnimationFrame)
    return performance.now() - start
  }, path)
  await page.waitForTimeout(300)
  return ms
}

function report(path: string, all: readonly number[]): void {
  const sorted = all.toSorted((one, other) => one - other)
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const worst = sorted.at(-1) ?? Number.NaN
  console.log(`${path.padEnd(20)} median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`)
  if (!(median < mostMs)) process.exitCode = 1
}
