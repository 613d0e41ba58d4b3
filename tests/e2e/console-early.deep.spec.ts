import { expect } from '@playwright/test'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { holdSession } from './visitor.ts'

/** What a page begins with is asked for before its code is there, and once (docs/reference/console-performance.md). */

let vendor: ServedVendor
test.beforeAll(async () => {
  vendor = await servedVendor()
  await vendor.channel({ models: 'gpt-4o' })
})
test.afterAll(() => vendor.stop())

const first = {
  '/': [],
  '/token': ['/api/token?'],
  '/log': ['/api/log?'],
  '/channel': ['/api/channel?p=0&page_size=20'],
  '/user': ['/api/user?p=1&page_size=20'],
}

for (const [path, lists] of Object.entries(first))
  test(`${path} asks early for what it shows first, and for nothing twice`, async ({ page, context }) => {
    await holdSession(context, vendor.url)
    await page.addInitScript(() => localStorage.setItem('page-size', '20'))
    const asked: string[] = []
    let isRunning = false
    const early: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (!pathname.startsWith('/api/') || request.headers().accept === 'text/event-stream') return
      asked.push(pathname + search)
      if (!isRunning) early.push(pathname + search)
    })
    // The code comes last: what was asked for by then was asked for without it.
    const { promise: isAsked, resolve: letRun } = Promise.withResolvers<void>()
    await page.route('**/assets/frame-*.js', async (route) => {
      await isAsked
      isRunning = true
      await route.continue()
    })
    await page.goto(vendor.url + path, { waitUntil: 'commit' })
    await expect.poll(() => early.length).toBeGreaterThan(lists.length)
    letRun()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForFunction(() => !document.querySelector('.bp6-skeleton'))
    expect(early).toHaveLength(lists.length + 1)
    expect(early[0]).toBe('/api/status')
    for (const [place, begin] of lists.entries()) expect(early[place + 1]).toContain(begin)
    expect(asked.filter((address, place) => asked.indexOf(address) !== place)).toEqual([])
    expect(await page.evaluate(() => Object.keys((globalThis as { early?: object }).early ?? {}))).toEqual([])
  })
