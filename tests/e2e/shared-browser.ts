import { type BrowserContext, test as base, type CDPSession, type Page } from '@playwright/test'

/**
 * Tests of one worker share one browser context, which is emptied between them: cookies, storage, permissions and
 * routes are removed, cached and compiled files stay. A page then needs half the CPU time of one in a new context.
 * Anything that cannot be removed from a context (a script, a function) requires a separate context.
 */
export const test = base.extend({
  context: async ({ browser, contextOptions, colorScheme, viewport, hasTouch, isMobile }, use) => {
    const options = { ...contextOptions, colorScheme, viewport, hasTouch, isMobile }
    const key = JSON.stringify(options)
    const visitor = visitors.get(key) ?? (await newVisitor(() => browser.newContext(options)))
    visitors.delete(key)
    await use(visitor.context)
    if (await isClockTouched(visitor)) return visitor.context.close()
    await empty(visitor)
    visitors.set(key, visitor)
  },
})

/** A browser context, and the page that keeps its renderer process alive. */
type Visitor = Readonly<{ context: BrowserContext; anchor: Page; devTools: CDPSession; origins: Set<string> }>

const visitors = new Map<string, Visitor>()
const anchors = new WeakMap<BrowserContext, Page>()

async function newVisitor(make: () => Promise<BrowserContext>): Promise<Visitor> {
  const context = await make()
  const anchor = await emptyPage(context)
  anchors.set(context, anchor)
  const origins = new Set<string>()
  context.on('request', (request) => {
    if (request.isNavigationRequest()) origins.add(new URL(request.url()).origin)
  })
  return { context, anchor, devTools: await context.newCDPSession(anchor), origins }
}

async function emptyPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Nothing</title>' }))
  return page
}

/** A Playwright clock applies to the whole context, including later pages, and cannot be removed. */
const isClockTouched = ({ anchor }: Visitor) => anchor.evaluate(() => !String(setTimeout).includes('[native code]'))

async function empty({ context, anchor, devTools, origins }: Visitor): Promise<void> {
  await Promise.all(context.pages().map((page) => page !== anchor && page.close()))
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearCookies()
  await context.clearPermissions()
  await context.setOffline(false)
  const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers'
  for (const origin of origins) await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes })
  origins.clear()
}

/** Runs a set-up step on an empty page of an origin, such as filling its storage. */
export async function onEmptyPage<T>(
  context: BrowserContext,
  url: string,
  step: (page: Page) => Promise<T>,
): Promise<T> {
  const kept = anchors.get(context)
  const page = kept ?? (await emptyPage(context))
  await page.goto(url)
  const result = await step(page)
  if (!kept) await page.close()
  return result
}
