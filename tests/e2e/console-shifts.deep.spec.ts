import { expect } from '@playwright/test'
import { shiftOf } from './figures.ts'
import { type Consoles, consoles } from './furnished.ts'
import { test } from './shared-browser.ts'
import { holdSession } from './visitor.ts'

let served: Consoles
test.beforeAll(async () => {
  served = await consoles()
})
test.afterAll(() => served.stop())

/** The allowed layout shift while a page is loaded. */
const ALLOWED = 0.02

const pages = [
  '/',
  '/detail',
  '/token',
  '/log',
  '/channel',
  '/user',
  '/playground',
  '/connect/client',
  '/connect/provider',
  '/explain-routing',
  '/ledger',
  '/setting',
  '/redemption',
  '/topup',
  '/personal',
]

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`${viewport.width} wide: no layout shift happens while a page is loaded (docs/reference/console-performance.md)`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport })
    const shifts: Record<string, number> = {}
    const visit = async (path: string, url: string) => {
      const page = await context.newPage()
      await page.goto(url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForFunction(() => !document.querySelector('.bp6-skeleton'))
      const shift = await shiftOf(page)
      if (shift >= ALLOWED) shifts[path] = shift
      await page.close()
    }
    for (const path of ['/', '/login', '/register', '/reset', '/nowhere']) await visit(path, served.busy.url)
    await holdSession(context, served.busy.url)
    for (const path of pages) await visit(path, served.busy.url)
    await context.close()
    expect(shifts).toEqual({})
  })
}
