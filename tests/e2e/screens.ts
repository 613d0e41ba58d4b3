import type { Page } from '@playwright/test'
import { standsStill } from './accessible.ts'
import { modelsFail, moveChannel, seeModelsMissing } from './editor-acts.ts'
import type { ConsoleName, Consoles } from './furnished.ts'
import { cutOff, cutOffInDrawer, endSession } from './outage-acts.ts'
import { soldModels } from './receipt-rows.ts'
import {
  askBalance,
  deepTestAll,
  foundOut,
  openBatchMenu,
  openTests,
  proxySays,
  showEnded,
  showGoing,
  verifyProxy,
} from './run-acts.ts'
import {
  answer,
  callFromOutside,
  chooseExample,
  chooseInRow,
  compareModels,
  fail,
  holdBack,
  listConversations,
  openBudgets,
  openColumns,
  openPalette,
  openRange,
  openReceiptOf,
  openRowMenu,
  playingWith,
  readBudgets,
  say,
  sayAndWait,
  startMain,
  submitDrawer,
  tryAccount,
  vendorAnswers,
  viewCode,
} from './screen-acts.ts'
import { agrees, differs, goesOn } from './stub-ledger.ts'
import { cooldowns, explanation, keys, refused, severalKeys, tells, unpriced } from './stub-routing.ts'
import { goodVendor, refusals, refusingVendor } from './tried-vendor.ts'
import { holdSession } from './visitor.ts'

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
  /** Brings the opened page into its state. It must not depend on the language: no words. */
  act?: (page: Page, served: Consoles) => Promise<unknown>
  /** The browser itself reports a failed request on this screen. */
  isNoisy?: boolean
}>

/** Every screen starts without these choices, whatever the one before remembered. */
const choices = ['default_collapse_sidebar', 'enable-tag-mode', 'enable-batch-delete'] as const
type Remembered = Readonly<Partial<Record<(typeof choices)[number], string>>>

const signedIn = { isSignedIn: true } as const

const cooldownsPath = /\/api\/channel\/cooldowns/
const keysPath = /\/api\/channel\/keys\//
const explainAddress = /\/api\/channel\/explain/
const ledgerAddress = /\/api\/ledger$/

const tellsOfKeys = async (page: Page) => {
  await severalKeys(page)
  await tells(keysPath, keys)(page)
}
const listsCooldowns = async (page: Page) => {
  await severalKeys(page)
  await tells(cooldownsPath, cooldowns)(page)
  await tells(keysPath, keys.slice(0, 5))(page)
}

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
  {
    page: 'connect-provider',
    state: 'problems',
    path: '/connect/provider',
    at: 'empty',
    ...signedIn,
    act: (page) => page.locator('.connect-actions button[type=submit]').click(),
  },
  {
    page: 'connect-provider',
    state: 'good',
    path: '/connect/provider',
    at: 'calling',
    ...signedIn,
    prepare: vendorAnswers(goodVendor),
    act: tryAccount,
  },
  ...Object.entries(refusals).map(
    ([state, refusal]): Screen => ({
      page: 'connect-provider',
      state,
      path: '/connect/provider',
      at: 'calling',
      ...signedIn,
      prepare: vendorAnswers(refusingVendor(refusal)),
      act: tryAccount,
    }),
  ),
  { page: 'connect-client', state: 'empty', path: '/connect/client', at: 'empty', ...signedIn },
  { page: 'connect-client', state: 'filled', path: '/connect/client', at: 'busy', ...signedIn },
  ...['anthropic-sdk', 'codex', 'cursor', 'other'].map(
    (id): Screen => ({
      page: 'connect-client',
      state: id,
      path: '/connect/client',
      at: 'busy',
      ...signedIn,
      act: chooseExample(id),
    }),
  ),
  {
    page: 'connect-client',
    state: 'arrived',
    path: '/connect/client',
    at: 'calling',
    ...signedIn,
    prepare: vendorAnswers(goodVendor),
    act: callFromOutside,
  },
  { page: 'token', state: 'empty', path: '/token', at: 'empty', ...signedIn },
  { page: 'token', state: 'filled', path: '/token', at: 'busy', ...signedIn },
  { page: 'token', state: 'loading', path: '/token', at: 'busy', ...signedIn, prepare: holdBack(/\/api\/token\?/) },
  {
    page: 'token',
    state: 'failed',
    path: '/token',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: fail(/\/api\/token\?/),
  },
  { page: 'token', state: 'new', path: '/token', at: 'busy', ...signedIn, act: startMain },
  { page: 'token', state: 'menu', path: '/token', at: 'busy', ...signedIn, act: openRowMenu },
  {
    page: 'token',
    state: 'problems',
    path: '/token',
    at: 'busy',
    ...signedIn,
    act: async (page) => {
      await startMain(page)
      await submitDrawer(page)
    },
  },
  { page: 'token', state: 'edit', path: '/token', at: 'busy', ...signedIn, act: chooseInRow('edit') },
  { page: 'token', state: 'budgets', path: '/token', at: 'busy', ...signedIn, act: openBudgets },
  { page: 'token', state: 'budgets-told', path: '/token', at: 'busy', ...signedIn, act: readBudgets },
  { page: 'token', state: 'delete', path: '/token', at: 'busy', ...signedIn, act: chooseInRow('trash') },
  { page: 'log', state: 'empty', path: '/log', at: 'empty', ...signedIn },
  { page: 'log', state: 'filled', path: '/log', at: 'busy', ...signedIn },
  { page: 'log', state: 'range', path: '/log', at: 'busy', ...signedIn, act: openRange },
  {
    page: 'log',
    state: 'open',
    path: '/log',
    at: 'busy',
    ...signedIn,
    act: (page) => page.locator('.page-table-opener').nth(1).click(),
  },
  ...soldModels.map(
    ({ kind, model }): Screen => ({
      page: 'log',
      state: `receipt-${kind}`,
      path: '/log',
      at: 'busy',
      ...signedIn,
      act: openReceiptOf(model),
    }),
  ),
  {
    page: 'log',
    state: 'failed',
    path: '/log',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: fail(/\/api\/log\?/),
  },
  { page: 'log', state: 'columns', path: '/log', at: 'busy', ...signedIn, act: openColumns },
  {
    page: 'log',
    state: 'failure-open',
    path: '/log',
    at: 'busy',
    ...signedIn,
    act: (page) => page.locator('.page-table-opener').first().click(),
  },
  { page: 'channel', state: 'empty', path: '/channel', at: 'empty', ...signedIn },
  { page: 'channel', state: 'filled', path: '/channel', at: 'busy', ...signedIn },
  { page: 'channel', state: 'new', path: '/channel', at: 'busy', ...signedIn, act: startMain },
  { page: 'channel', state: 'menu', path: '/channel', at: 'busy', ...signedIn, act: openRowMenu },
  { page: 'channel', state: 'edit', path: '/channel', at: 'busy', ...signedIn, act: chooseInRow('edit') },
  { page: 'channel', state: 'moved', path: '/channel', at: 'busy', ...signedIn, act: moveChannel },
  {
    page: 'channel',
    state: 'models-missing',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    prepare: modelsFail,
    act: seeModelsMissing,
  },
  { page: 'channel', state: 'delete', path: '/channel', at: 'busy', ...signedIn, act: chooseInRow('trash') },
  { page: 'channel', state: 'columns', path: '/channel', at: 'busy', ...signedIn, act: openColumns },
  {
    page: 'channel',
    state: 'tests',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    act: openTests,
  },
  {
    page: 'channel',
    state: 'tests-full',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    prepare: foundOut,
    act: deepTestAll,
  },
  { page: 'channel', state: 'run', path: '/channel', at: 'busy', ...signedIn, prepare: showGoing },
  {
    page: 'channel',
    state: 'run-menu',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    prepare: showGoing,
    act: openBatchMenu,
  },
  { page: 'channel', state: 'runs-over', path: '/channel', at: 'busy', ...signedIn, prepare: showEnded },
  { page: 'channel', state: 'balance', path: '/channel', at: 'busy', ...signedIn, act: askBalance },
  {
    page: 'channel',
    state: 'proxy',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    prepare: proxySays({ ok: false, ms: 38, code: 'proxy_refused', message: '407 Proxy Authentication Required' }),
    act: verifyProxy,
  },
  {
    page: 'channel',
    state: 'proxy-good',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    prepare: proxySays({ ok: true, ms: 212, code: 'ok', message: '' }),
    act: verifyProxy,
  },
  {
    page: 'channel',
    state: 'batch',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    remembered: { 'enable-batch-delete': 'true' },
  },
  {
    page: 'channel',
    state: 'tags',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    remembered: { 'enable-tag-mode': 'true' },
  },
  {
    page: 'channel',
    state: 'tag-edit',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    remembered: { 'enable-tag-mode': 'true' },
    act: chooseInRow('edit'),
  },
  {
    page: 'channel-routing',
    state: 'resting',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    prepare: listsCooldowns,
    act: (page) => page.locator('.status-cell .bp6-interactive').last().waitFor(),
  },
  {
    page: 'channel-routing',
    state: 'rest-open',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    prepare: listsCooldowns,
    act: async (page) => {
      await page.locator('.status-cell .bp6-interactive').last().click()
      await page.locator('.cooling').waitFor()
    },
  },
  {
    page: 'channel-routing',
    state: 'keys',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    prepare: tellsOfKeys,
    act: async (page) => {
      await chooseInRow('key')(page)
      await page.locator('.key-row').first().waitFor()
    },
  },
  {
    page: 'channel-routing',
    state: 'one-key',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    prepare: tells(keysPath, keys.slice(0, 1)),
    act: async (page) => {
      await chooseInRow('key')(page)
      await page.locator('.key-row').first().waitFor()
    },
  },
  {
    page: 'channel-routing',
    state: 'pool-new',
    path: '/channel/add',
    at: 'busy',
    ...signedIn,
    act: async (page) => {
      await page.locator('.channel-switch').first().click()
      await page.locator('.side-drawer [name=key]').fill('sk-one\nsk-two\nsk-three')
    },
  },
  {
    page: 'channel-routing',
    state: 'pool-edit',
    path: '/channel/edit/1',
    at: 'busy',
    ...signedIn,
    prepare: severalKeys,
    act: (page) => page.locator('.side-drawer textarea[name=key]').scrollIntoViewIfNeeded(),
  },
  { page: 'why-channel', state: 'start', path: '/explain-routing', at: 'busy', ...signedIn },
  {
    page: 'why-channel',
    state: 'problems',
    path: '/explain-routing',
    at: 'busy',
    ...signedIn,
    act: startMain,
  },
  {
    page: 'why-channel',
    state: 'told',
    path: '/explain-routing?model=gpt-4o&prompt_tokens=9000',
    at: 'busy',
    ...signedIn,
    prepare: tells(explainAddress, explanation),
  },
  {
    page: 'why-channel',
    state: 'unpriced',
    path: '/explain-routing?model=gpt-4o',
    at: 'busy',
    ...signedIn,
    prepare: tells(explainAddress, unpriced),
  },
  {
    page: 'why-channel',
    state: 'refused',
    path: '/explain-routing?model=gpt-4o',
    at: 'busy',
    ...signedIn,
    prepare: tells(explainAddress, refused),
  },
  {
    page: 'why-channel',
    state: 'nobody',
    path: '/explain-routing?model=o3',
    at: 'busy',
    ...signedIn,
    prepare: tells(explainAddress, { ...refused, channels: [], off: [] }),
  },
  {
    page: 'why-channel',
    state: 'loading',
    path: '/explain-routing?model=gpt-4o',
    at: 'busy',
    ...signedIn,
    prepare: holdBack(explainAddress),
  },
  {
    page: 'why-channel',
    state: 'failed',
    path: '/explain-routing?model=gpt-4o',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: fail(explainAddress),
  },
  ...Object.entries({ agrees, differs, running: goesOn, empty: { ...agrees, checks: [], cleanup: null } }).map(
    ([state, told]): Screen => ({
      page: 'ledger',
      state,
      path: '/ledger',
      at: 'busy',
      ...signedIn,
      prepare: tells(ledgerAddress, told),
    }),
  ),
  { page: 'ledger', state: 'loading', path: '/ledger', at: 'busy', ...signedIn, prepare: holdBack(ledgerAddress) },
  {
    page: 'ledger',
    state: 'failed',
    path: '/ledger',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: fail(ledgerAddress),
  },
  { page: 'playground', state: 'start', path: '/playground', at: 'busy', ...signedIn },
  {
    page: 'playground',
    state: 'answer',
    path: '/playground',
    at: 'calling',
    ...signedIn,
    prepare: playingWith({ events: answer }),
    act: sayAndWait,
  },
  {
    page: 'playground',
    state: 'compared',
    path: '/playground',
    at: 'calling',
    ...signedIn,
    prepare: playingWith({ events: answer }),
    act: compareModels,
  },
  {
    page: 'playground',
    state: 'kept',
    path: '/playground',
    at: 'calling',
    ...signedIn,
    prepare: playingWith({ events: answer }),
    act: listConversations,
  },
  {
    page: 'playground',
    state: 'code',
    path: '/playground',
    at: 'calling',
    ...signedIn,
    prepare: playingWith({ events: answer }),
    act: viewCode,
  },
  {
    page: 'playground',
    state: 'streaming',
    path: '/playground',
    at: 'calling',
    ...signedIn,
    prepare: playingWith({ events: answer.slice(0, 3), hang: true }),
    act: async (page) => {
      await say(page)
      await page.locator('.play-message code').first().waitFor()
    },
  },
  {
    page: 'playground',
    state: 'failed',
    path: '/playground',
    at: 'calling',
    ...signedIn,
    isNoisy: true,
    prepare: playingWith({ status: 400, body: { error: { message: 'temperature is not supported', type: 'x' } } }),
    act: async (page) => {
      await say(page)
      await page.locator('.play-failure').waitFor()
    },
  },
  {
    page: 'menus',
    state: 'account',
    path: '/token',
    at: 'busy',
    ...signedIn,
    act: (page) => page.locator('.top-bar-end button').last().click(),
  },
  {
    page: 'menus',
    state: 'pages',
    path: '/token',
    at: 'busy',
    ...signedIn,
    // A desk has all pages at the left: there it is the languages.
    act: (page) => page.locator('.top-bar button:has([data-icon=menu], [data-icon=translate])').first().click(),
  },
  {
    page: 'outage',
    state: 'list',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: () => undefined,
    act: cutOff,
  },
  {
    page: 'outage',
    state: 'drawer',
    path: '/channel/add',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: () => undefined,
    act: cutOffInDrawer,
  },
  {
    page: 'outage',
    state: 'session',
    path: '/channel/add',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: () => undefined,
    act: endSession,
  },
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
    remembered: { default_collapse_sidebar: 'true' },
  },
]

/**
 * Opens a screen and waits until it stands; signs in when the screen asks for it and the page is not yet. The screen that
 * the page shows spares it from loading the console again, where both show it as it is.
 */
export async function open(page: Page, screen: Screen, served: Consoles, before?: Screen): Promise<void> {
  const { url } = served[screen.at]
  const cookies = await page.context().cookies(url)
  if (screen.isSignedIn && cookies.length === 0) await holdSession(page.context(), url)
  await screen.prepare?.(page, served)
  const isPlain = [screen, before].every((one) => one?.isSignedIn && one.at === screen.at && !isStaged(one))
  if (!isPlain || !(await reopen(page, screen.path))) {
    await page.goto(url + screen.path)
    if (await remember(page, screen.remembered ?? {})) await page.reload()
  }
  await page.getByRole('heading', { level: 1 }).waitFor()
  if (screen.state !== 'loading') await page.waitForFunction(() => !document.querySelector('main .bp6-skeleton'))
  await page.evaluate(() => document.fonts.ready)
  await screen.act?.(page, served)
  await standsStill(page)
}

/** Whether a screen asks for more than the console as it stands. */
export const isStaged = ({ prepare, remembered }: Screen): boolean => prepare !== undefined || remembered !== undefined

/** Puts a page up anew by way of the one for unknown addresses; false where something of before stays, such as a form. */
async function reopen(page: Page, path: string): Promise<boolean> {
  const home = 'main a[href="/"]'
  await walk(page, '/nowhere')
  await page.waitForFunction((link) => document.querySelector(link) || location.pathname !== '/nowhere', home)
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
