import type { Dialog, Page } from '@playwright/test'
import { standsStill } from '../accessible.ts'
import type { ConsoleName, Consoles } from '../furnished.ts'
import { holdSession } from '../visitor.ts'

/** A page in one state, for screenshots and visual tests. */
export type Screen = Readonly<{
  /** Both are part of the image's name: `<page>-<state>-…`. */
  page: string
  state: string
  path: string
  /** The console to open. */
  at: ConsoleName
  /** Logged in as the administrator; default false. */
  isSignedIn?: boolean
  /** Stored choices by key (docs/reference/screens.md#local-storage). */
  remembered?: Remembered
  /** Runs before the page is opened, for example to hold a response back. */
  prepare?: (page: Page, served: Consoles) => unknown
  /** Whether to reload the console, because prepared data is read at its start, or to discard earlier state. */
  isLoadedAnew?: boolean
  /** Brings the opened page into its state. It must work in any language, so it must not use texts. */
  act?: (page: Page, served: Consoles) => Promise<unknown>
  /** Whether the keyboard test walks through it. */
  isWalked?: boolean
  /** Whether the browser reports a failed request on this screen. */
  isNoisy?: boolean
}>

/** Choices that are removed before every screen. */
const choices = ['default_collapse_sidebar', 'enable-tag-mode', 'enable-batch-delete'] as const
type Remembered = Readonly<Partial<Record<(typeof choices)[number], string>>>

/** Most screens are the administrator's. */
export const signedIn = { isSignedIn: true } as const

/**
 * Opens a screen and waits until it is stable; logs in first if necessary. The console is not reloaded if the previous
 * screen (`before`) allows it.
 */
export async function open(page: Page, screen: Screen, served: Consoles, before?: Screen): Promise<void> {
  const { url } = served[screen.at]
  const cookies = await page.context().cookies(url)
  if (screen.isSignedIn && cookies.length === 0) await holdSession(page.context(), url)
  await screen.prepare?.(page, served)
  const lasts = [screen, before].every((one) => one?.isSignedIn && one.at === screen.at && !standsApart(one))
  if (!lasts || !(await reopen(page, screen.path))) {
    const wasThere = page.url().startsWith(`${url}/`)
    if (wasThere) await remember(page, screen.remembered ?? {})
    await load(page, url + screen.path)
    if (!wasThere && (await remember(page, screen.remembered ?? {}))) await page.reload()
  }
  await page.getByRole('heading', { level: 1 }).waitFor()
  if (!screen.state.endsWith('loading')) await page.waitForFunction(() => !document.querySelector('main .bp6-skeleton'))
  await page.evaluate(() => document.fonts.ready)
  await screen.act?.(page, served)
  await standsStill(page)
}

/** Loads an address, and dismisses a prompt about unsaved changes. */
async function load(page: Page, address: string): Promise<void> {
  const leave = (dialog: Dialog) => void dialog.accept().catch(() => undefined)
  page.on('dialog', leave)
  await page.goto(address)
  page.off('dialog', leave)
}

/** Whether the console must be reloaded for a screen: a loaded list remains visible when its next response fails. */
export const standsApart = ({ isLoadedAnew, isNoisy, state, remembered }: Screen): boolean =>
  isLoadedAnew === true || isNoisy === true || state.endsWith('loading') || remembered !== undefined

/** Reopens a page by way of an unknown address; returns false when earlier state, such as a form, remains. */
async function reopen(page: Page, path: string): Promise<boolean> {
  const home = 'main a[href="/"]'
  await walk(page, '/nowhere')
  const outcome = await page.waitForFunction((link) => {
    if (document.querySelector(link)) return 'there'
    return location.pathname === '/nowhere' ? undefined : 'held'
  }, home)
  // Unsaved changes block the navigation.
  if ((await outcome.jsonValue()) === 'held') return false
  if (await page.evaluate(() => document.querySelector('.bp6-overlay-open') !== null)) return false
  await walk(page, path)
  await page.locator(home).waitFor({ state: 'detached' })
  return true
}

/** Navigates to another page as the browser's Forward button would. */
const walk = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({ idx: history.state.idx + 1 }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, path)

/** Stores exactly these choices; returns whether that changed any. */
const remember = (page: Page, remembered: Remembered): Promise<boolean> =>
  page.evaluate(
    ([keys, values]) => {
      const before = keys.map((key) => localStorage.getItem(key))
      for (const key of keys) localStorage.removeItem(key)
      for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value)
      return keys.some((key, place) => localStorage.getItem(key) !== before[place])
    },
    [choices, remembered] as const,
  )
