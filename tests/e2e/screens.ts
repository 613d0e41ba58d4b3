import type { Page } from '@playwright/test'
import type { Consoles } from './furnished.ts'
import { signIn } from './visitor.ts'

/** A page in one state, as the screenshots and the tests of looks go through them. */
export type Screen = Readonly<{
  /** Both name the picture: `<page>-<state>-…`. */
  page: string
  state: string
  path: string
  /** Which console it is seen on. */
  at: Exclude<keyof Consoles, 'stop'>
  /** Signed in as the administrator; nobody unless said so. */
  isSignedIn?: boolean
  /** Before the page is opened, such as to hold an answer back. */
  prepare?: (page: Page) => Promise<unknown>
  /** Brings the opened page into its state. It must not depend on the language: no words. */
  act?: (page: Page) => Promise<unknown>
  /** The browser itself reports a failed request on this screen. */
  isNoisy?: boolean
}>

/** The primary action of the page, wherever it stands. */
const startMain = (page: Page) => page.locator('main button.bp6-intent-primary').first().click()
const openRowMenu = (page: Page) =>
  page.locator('.page-table-actions button, .page-table-card-head button').last().click()
const openPalette = (page: Page) => page.keyboard.press('Control+k')
/** A list whose answer never comes, and one whose answer is a failure. */
const holdBack = (path: string) => (page: Page) => page.route(path, () => new Promise<void>(() => {}))
const fail = (path: string) => (page: Page) => page.route(path, (route) => route.fulfill({ status: 500, body: '' }))

const signedIn = { isSignedIn: true } as const

/** Every page in every state that is worth a look. A page's own rows go here, next to its others. */
export const screens: readonly Screen[] = [
  { page: 'setup', state: 'start', path: '/setup', at: 'fresh' },
  {
    page: 'setup',
    state: 'problems',
    path: '/setup',
    at: 'fresh',
    act: (page) => page.locator('form button[type=submit]').click(),
  },
  { page: 'home', state: 'visitor', path: '/', at: 'empty' },
  { page: 'home', state: 'signed-in', path: '/', at: 'busy', ...signedIn },
  { page: 'login', state: 'start', path: '/login', at: 'empty' },
  { page: 'login', state: 'expired', path: '/login?expired=true', at: 'empty' },
  { page: 'not-found', state: 'visitor', path: '/nowhere', at: 'empty' },
  { page: 'connect-provider', state: 'start', path: '/connect/provider', at: 'empty', ...signedIn },
  { page: 'connect-client', state: 'empty', path: '/connect/client', at: 'empty', ...signedIn },
  { page: 'connect-client', state: 'filled', path: '/connect/client', at: 'busy', ...signedIn },
  { page: 'token', state: 'empty', path: '/token', at: 'empty', ...signedIn },
  { page: 'token', state: 'filled', path: '/token', at: 'busy', ...signedIn },
  { page: 'token', state: 'loading', path: '/token', at: 'busy', ...signedIn, prepare: holdBack('**/api/token/*') },
  {
    page: 'token',
    state: 'failed',
    path: '/token',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: fail('**/api/token/*'),
  },
  { page: 'token', state: 'new', path: '/token', at: 'busy', ...signedIn, act: startMain },
  { page: 'token', state: 'menu', path: '/token', at: 'busy', ...signedIn, act: openRowMenu },
  { page: 'log', state: 'empty', path: '/log', at: 'empty', ...signedIn },
  { page: 'log', state: 'filled', path: '/log', at: 'busy', ...signedIn },
  {
    page: 'log',
    state: 'open',
    path: '/log',
    at: 'busy',
    ...signedIn,
    act: (page) => page.locator('.page-table-opener').nth(1).click(),
  },
  {
    page: 'log',
    state: 'failed',
    path: '/log',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: fail('**/api/log/?*'),
  },
  { page: 'channel', state: 'empty', path: '/channel', at: 'empty', ...signedIn },
  { page: 'channel', state: 'filled', path: '/channel', at: 'busy', ...signedIn },
  { page: 'channel', state: 'new', path: '/channel', at: 'busy', ...signedIn, act: startMain },
  { page: 'channel', state: 'menu', path: '/channel', at: 'busy', ...signedIn, act: openRowMenu },
  { page: 'playground', state: 'start', path: '/playground', at: 'busy', ...signedIn },
  { page: 'palette', state: 'open', path: '/token', at: 'busy', ...signedIn, act: openPalette },
  {
    page: 'shortcuts',
    state: 'open',
    path: '/token',
    at: 'busy',
    ...signedIn,
    act: (page) => page.keyboard.press('Shift+?'),
  },
  {
    page: 'sidebar',
    state: 'collapsed',
    path: '/token',
    at: 'busy',
    ...signedIn,
    prepare: (page) => page.addInitScript(() => localStorage.setItem('default_collapse_sidebar', 'true')),
  },
]

/** Opens a screen and waits until it stands; signs in when the screen asks for it and the page is not yet. */
export async function open(page: Page, screen: Screen, served: Consoles): Promise<void> {
  const { url } = served[screen.at]
  const cookies = await page.context().cookies(url)
  if (screen.isSignedIn && cookies.length === 0) await signIn(page, url)
  await screen.prepare?.(page)
  await page.goto(url + screen.path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  if (screen.state !== 'loading') await page.waitForFunction(() => !document.querySelector('main .bp6-skeleton'))
  await page.evaluate(() => document.fonts.ready)
  await screen.act?.(page)
  await page.waitForTimeout(settleMs)
}

/** As long as what slides in takes. */
const settleMs = 350
