import { type CDPSession, expect, type Page } from '@playwright/test'
import { signedIn } from '../support/client.ts'
import { ROOT, readyGateway, type ServedConsole } from './gateway.ts'
import { test } from './shared-browser.ts'
import { holdSession } from './visitor.ts'

test.describe.configure({ timeout: 90_000 })
let gateway: ServedConsole
test.beforeAll(async () => {
  gateway = await readyGateway()
})
test.afterAll(() => gateway.stop())

const PAGES = ['/channel', '/log', '/token', '/user', '/setting'] as const
const SECRET = 'sk-canary-of-a-channel-0123456789'

/** Visits pages by the links of the sidebar, each once it is loaded. */
const visit = (page: Page, paths: readonly string[]) =>
  page.evaluate(async (all) => {
    const isThere = (path: string) =>
      location.pathname === path &&
      document.querySelector('main h1') !== null &&
      !document.querySelector('main .bp6-skeleton, main [role=status][aria-label]')
    for (const path of all) {
      const link = () => document.querySelector<HTMLElement>(`nav a[href="${path}"]`)
      while (!link()) await new Promise(requestAnimationFrame)
      link()?.click()
      while (!isThere(path)) await new Promise(requestAnimationFrame)
    }
  }, paths)

/** The page's memory after garbage collection: the minimum of several, since a single collection is incomplete. */
async function held(devTools: CDPSession) {
  const sizes: number[] = []
  while (sizes.length < 4) {
    await devTools.send('HeapProfiler.collectGarbage')
    sizes.push((await devTools.send('Runtime.getHeapUsage')).usedSize)
  }
  const { nodes } = await devTools.send('Memory.getDOMCounters')
  return { bytes: Math.min(...sizes), nodes }
}

test('the console uses no more memory after fifty pages than after ten, and contains no key of a listed channel', async ({
  page,
}) => {
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  const channel = { type: 1, name: 'vendor', key: SECRET, models: 'gpt-4o', group: 'default', base_url: gateway.url }
  expect((await root.post('/api/channel', channel)).success).toBe(true)
  await holdSession(page.context(), gateway.url)
  await page.goto(`${gateway.url}/token`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const devTools = await page.context().newCDPSession(page)
  await visit(page, Array.from({ length: 2 }, () => PAGES).flat())
  const before = await held(devTools)
  await visit(page, Array.from({ length: 10 }, () => PAGES).flat())
  const after = await held(devTools)
  // A leak of a tenth of a megabyte per page would add more than a third.
  for (const what of ['bytes', 'nodes'] as const)
    expect(after[what] / before[what], `${what}: ${before[what]}, then ${after[what]}`).toBeLessThan(1.25)

  await visit(page, ['/channel'])
  await expect(page.getByRole('row', { name: 'vendor' })).toBeVisible()
  let heap = ''
  devTools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    heap += chunk
  })
  await devTools.send('HeapProfiler.takeHeapSnapshot')
  expect([heap.includes('vendor'), heap.includes(SECRET)]).toEqual([true, false])
})
