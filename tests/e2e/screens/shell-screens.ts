import { cutOff, cutOffInDrawer, endSession } from '../outage-acts.ts'
import {
  answer,
  compareModels,
  fail,
  holdBack,
  listConversations,
  openPalette,
  playingWith,
  say,
  sayAndWait,
  viewCode,
} from '../screen-acts.ts'
import { agrees, differs, goesOn } from '../stub-ledger.ts'
import { tells } from '../stub-routing.ts'
import { type Screen, signedIn } from './screen.ts'

const ledgerAddress = /\/api\/ledger$/

/** The ledger, the playground and the frame of all pages, in their states. */
export const shellScreens: readonly Screen[] = [
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
    isWalked: true,
    path: '/playground',
    at: 'calling',
    ...signedIn,
    isLoadedAnew: true,
    prepare: playingWith({ events: answer }),
    act: sayAndWait,
  },
  {
    page: 'playground',
    state: 'compared',
    path: '/playground',
    at: 'calling',
    ...signedIn,
    isLoadedAnew: true,
    prepare: playingWith({ events: answer }),
    act: compareModels,
  },
  {
    page: 'playground',
    state: 'kept',
    path: '/playground',
    at: 'calling',
    ...signedIn,
    isLoadedAnew: true,
    prepare: playingWith({ events: answer }),
    act: listConversations,
  },
  {
    page: 'playground',
    state: 'code',
    path: '/playground',
    at: 'calling',
    ...signedIn,
    isLoadedAnew: true,
    prepare: playingWith({ events: answer }),
    act: viewCode,
  },
  {
    page: 'playground',
    state: 'streaming',
    path: '/playground',
    at: 'calling',
    ...signedIn,
    isLoadedAnew: true,
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
    isLoadedAnew: true,
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
    // Wide screens list all pages at the left, so the first button there is that of the languages.
    act: (page) => page.locator('.top-bar button:has([data-icon=menu], [data-icon=translate])').first().click(),
  },
  {
    page: 'outage',
    state: 'list',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    isLoadedAnew: true,
    act: cutOff,
  },
  {
    page: 'outage',
    state: 'drawer',
    path: '/channel/add',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    isLoadedAnew: true,
    act: cutOffInDrawer,
  },
  {
    page: 'outage',
    state: 'session',
    path: '/channel/add',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    isLoadedAnew: true,
    act: endSession,
  },
  { page: 'palette', state: 'open', path: '/token', at: 'busy', ...signedIn, act: openPalette },
  {
    page: 'shortcuts',
    state: 'open',
    path: '/token',
    at: 'busy',
    ...signedIn,
    act: async (page) => {
      await page.keyboard.press('Shift+?')
      await page.locator('.bp6-dialog').waitFor()
    },
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
