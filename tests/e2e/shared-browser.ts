import { type BrowserContext, test as base, type CDPSession, type Page } from '@playwright/test'

/**
 * Tests of one worker go through one visitor's browser, which is emptied between them: cookies, storage, permissions and
 * routes go, what was fetched and compiled stays. A page then costs half the processor time of one in a new browser context.
 * What adds something to a context that cannot be taken back (a script, a function) makes a context of its own.
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

/** A browser context, and the page that keeps its process alive. */
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

/** A clock of Playwright's is one for the whole context, also for pages to come, and is never taken off again. */
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

/** Runs a step of set-up on an empty page of an origin, such as filling its storage. */
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
