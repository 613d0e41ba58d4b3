import type { Dialog, Page } from '@playwright/test'
import { standsStill } from '../accessible.ts'
import type { ConsoleName, Consoles } from '../furnished.ts'
import { holdSession } from '../visitor.ts'

/** A page in one state, as the screenshots and the tests of looks go through them. */
export type Screen = Readonly<{
  /** Both name the picture: `<page>-<state>-…`. */
  page: string
  state: string
  path: string
  /** Which console it is seen on. */
  at: ConsoleName
  /** Signed in as the administrator; nobody unless said so. */
  isSignedIn?: boolean
  /** Choices that the browser remembers, by their keys (docs/reference/screens.md#local-storage). */
  remembered?: Remembered
  /** Before the page is opened, such as to hold an answer back. */
  prepare?: (page: Page, served: Consoles) => unknown
  /** What is prepared is read when the console is loaded, or what was done before must not last. */
  isLoadedAnew?: boolean
  /** Brings the opened page into its state. It must not depend on the language: no words. */
  act?: (page: Page, served: Consoles) => Promise<unknown>
  /** Whether the keyboard is led through all of it. */
  isWalked?: boolean
  /** The browser itself reports a failed request on this screen. */
  isNoisy?: boolean
}>

/** Every screen starts without these choices, whatever the one before remembered. */
const choices = ['default_collapse_sidebar', 'enable-tag-mode', 'enable-batch-delete'] as const
type Remembered = Readonly<Partial<Record<(typeof choices)[number], string>>>

/** Most screens are an administrator's. */
export const signedIn = { isSignedIn: true } as const

/**
 * Opens a screen and waits until it stands; signs in when the screen asks for it and the page is not yet. The screen that
 * the page shows spares it from loading the console again, where both show it as it is.
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

/** Loads an address, whatever the page before would ask about what is unsaved. */
async function load(page: Page, address: string): Promise<void> {
  const leave = (dialog: Dialog) => void dialog.accept().catch(() => undefined)
  page.on('dialog', leave)
  await page.goto(address)
  page.off('dialog', leave)
}

/** Whether the console is loaded again for a screen: a list that has come once is kept where the next answer fails. */
export const standsApart = ({ isLoadedAnew, isNoisy, state, remembered }: Screen): boolean =>
  isLoadedAnew === true || isNoisy === true || state.endsWith('loading') || remembered !== undefined

/** Puts a page up again by way of the one for unknown addresses; false where something of before stays, such as a form. */
async function reopen(page: Page, path: string): Promise<boolean> {
  const home = 'main a[href="/"]'
  await walk(page, '/nowhere')
  const outcome = await page.waitForFunction((link) => {
    if (document.querySelector(link)) return 'there'
    return location.pathname === '/nowhere' ? undefined : 'held'
  }, home)
  // Something unsaved holds the page.
  if ((await outcome.jsonValue()) === 'held') return false
  if (await page.evaluate(() => document.querySelector('.bp6-overlay-open') !== null)) return false
  await walk(page, path)
  await page.locator(home).waitFor({ state: 'detached' })
  return true
}

/** Goes to another page as the button "Forward" of the browser would. */
const walk = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({ idx: history.state.idx + 1 }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, path)

/** Makes the browser remember just these choices; whether that changed any. */
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
