import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumLaunch } from './chromium.ts'
import { shiftOf, weightOf } from './figures.ts'
import { type Consoles, consoles } from './furnished.ts'
import { holdSession } from './visitor.ts'

/**
 * Measures every page of the console in its last build, on a fast line and at 400 kbit/s, and writes
 * docs/reference/console-performance.md. Run by `npm run figures`, on an idle machine; exits 1 when a target is missed.
 */
type Visit = Readonly<{ path: string; at: 'empty' | 'busy'; isSignedIn?: boolean; hasRows?: boolean }>

const signedIn = { at: 'busy', isSignedIn: true } as const
const visits: readonly Visit[] = [
  { path: '/', at: 'empty' },
  { path: '/login', at: 'empty' },
  { path: '/register', at: 'empty' },
  { path: '/pricing', at: 'empty' },
  { path: '/about', at: 'empty' },
  { path: '/', ...signedIn },
  { path: '/detail', ...signedIn },
  { path: '/token', ...signedIn, hasRows: true },
  { path: '/log', ...signedIn, hasRows: true },
  { path: '/channel', ...signedIn, hasRows: true },
  { path: '/user', ...signedIn, hasRows: true },
  { path: '/playground', ...signedIn },
  { path: '/connect/client', ...signedIn },
  { path: '/connect/provider', ...signedIn },
  { path: '/explain-routing', ...signedIn },
  { path: '/ledger', ...signedIn },
  { path: '/pricing', ...signedIn },
  { path: '/setting', ...signedIn },
  { path: '/setting?tab=ratio', ...signedIn },
  { path: '/personal', ...signedIn },
  { path: '/import', ...signedIn },
]
const slowLine = { offline: false, latency: 100, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const targets = { visitorBytes: 260_000, signedInBytes: 360_000, shift: 0.02, rowsMs: 9000 }

type Figures = Readonly<{ bytes: number; fcp: number; lcp: number; shift: number; slow: number }>

const served = await consoles()
const browser = await chromium.launch(chromiumLaunch())
try {
  const lines: string[] = []
  for (const visit of visits) {
    const figures = await measure(browser, served, visit)
    if (isMissed(visit, figures)) process.exitCode = 1
    lines.push(rowOf(visit, figures))
    console.log(lines.at(-1))
  }
  await writeFile(join(import.meta.dirname, '../../docs/reference/console-performance.md'), page(lines))
} finally {
  await browser.close()
  await served.stop()
}

async function measure(from: Browser, { busy, empty }: Consoles, visit: Visit): Promise<Figures> {
  const { url } = visit.at === 'busy' ? busy : empty
  const context = await from.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  if (visit.isSignedIn) await holdSession(context, url)
  const fast = await context.newPage()
  const bytes = await weightOf(fast, () => fast.goto(url + visit.path))
  const { fcp, lcp } = await paints(fast)
  const shift = await shiftOf(fast)
  const slow = await timeOnSlowLine(await context.newPage(), url, visit)
  await context.close()
  return { bytes, fcp, lcp, shift, slow }
}

/** Milliseconds until the page's rows, or its heading, are visible on a slow line with an empty cache. */
async function timeOnSlowLine(page: Page, url: string, { path, hasRows = false }: Visit): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.emulateNetworkConditions', slowLine)
  await page.goto(url + path, { waitUntil: 'commit' })
  // The page's own clock, which starts with the navigation; a locator polls only twice a second.
  const seen = await page.waitForFunction(
    (wanted) => [...document.querySelectorAll(wanted)].some((one) => one.checkVisibility()) && performance.now(),
    hasRows ? 'tbody tr:not(:has(.bp6-skeleton))' : 'h1',
    { polling: 'raf' },
  )
  return Number(await seen.jsonValue())
}

function paints(page: Page): Promise<{ fcp: number; lcp: number }> {
  return page.evaluate(
    () =>
      new Promise<{ fcp: number; lcp: number }>((resolve) => {
        const fcp = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
        new PerformanceObserver((list) => resolve({ fcp, lcp: list.getEntries().at(-1)?.startTime ?? 0 })).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
}

/** Whether a page is the first one that a user sees, logged in or not. */
function isFirst(path: string): boolean {
  return path === '/' || path === '/detail'
}

function isMissed({ isSignedIn, path, hasRows }: Visit, { bytes, shift, slow }: Figures): boolean {
  const isHeavy = isFirst(path) && bytes > (isSignedIn ? targets.signedInBytes : targets.visitorBytes)
  return isHeavy || shift >= targets.shift || (hasRows === true && slow >= targets.rowsMs)
}

function rowOf({ path, isSignedIn, hasRows }: Visit, { bytes, fcp, lcp, shift, slow }: Figures): string {
  const seconds = `${(slow / 1000).toFixed(1)} s${hasRows ? ' (rows)' : ''}`
  const whole = [`\`${path}\`${isSignedIn ? '' : ', visitor'}`, `${(bytes / 1000).toFixed(0)} KB`]
  return `| ${[...whole, `${fcp.toFixed(0)} ms`, `${lcp.toFixed(0)} ms`, shift.toFixed(3), seconds].join(' | ')} |`
}

function page(lines: readonly string[]): string {
  return `# Weight and speed of the console

\`npm run figures\` writes this page from the last build, in Chromium at 1280 by 800.

| column | meaning |
|---|---|
| weight | all that a first visit fetches, gzipped, in thousands of bytes |
| slow line | time until the heading, or the first rows of a list, at 400 kbit/s and 100 ms latency |

| page | weight | first paint (FCP) | largest paint (LCP) | shift (CLS) | slow line |
|---|---|---|---|---|---|
${lines.join('\n')}

Limits of the full test run, at 1280 and 390 pixels (tests/e2e/console-shell.deep.spec.ts, console-shifts.deep.spec.ts):

| what | limit |
|---|---|
| first view of \`/\` | 260 KB |
| \`/\` and the dashboard, logged in | 360 KB |
| shift | below 0.02 |
| rows on the slow line | 9 s, else the command fails |

How the console is built: [decision](../decisions/2026-11-28-a-first-view-by-standard-means.md).
`
}
