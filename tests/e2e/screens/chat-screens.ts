import type { Page } from '@playwright/test'
import { fail, holdBack } from '../screen-acts.ts'
import { noBackups } from '../stub-backups.ts'
import { afterFailure, jobs, running } from '../stub-jobs.ts'
import { tells } from '../stub-routing.ts'
import { type Screen, signedIn } from './screen.ts'

const tokens = /\/api\/token\?p=0&size=100$/
const site = '<!doctype html><body style="font: 15px sans-serif; color: gray">A chat of somebody else</body>'

const answerAsSite = (page: Page) =>
  page.route('https://app.nextchat.dev/**', (route) => route.fulfill({ contentType: 'text/html', body: site }))

const jobsAddress = /\/api\/job$/
const homeAddress = /\/api\/home_page_content$/
const written =
  '## Our gateway\n\nAsk **the research fixture** for an account.\n\n<p>Plain <em>HTML</em> works, too.</p>'

const allow = (page: Page) => page.locator('.chat-ways button').first().click()

/** The operator's chats and their confirmation, the kinds of home pages, and background jobs, in their states. */
export const chatScreens: readonly Screen[] = [
  {
    page: 'chat',
    state: 'menu',
    path: '/token',
    at: 'busy',
    ...signedIn,
    isLoadedAnew: true,
    act: async (page) => {
      const fold = page.locator('.side-menu-fold')
      const drawer = page.locator('.top-bar button:has([data-icon=menu])')
      await drawer.or(fold).waitFor()
      // settled: the width of the window decides which one is shown
      if (await drawer.isVisible()) await drawer.click()
      await fold.click()
    },
  },
  { page: 'chat', state: 'loading', path: '/chat/0', at: 'busy', ...signedIn, prepare: holdBack(tokens) },
  { page: 'chat', state: 'failed', path: '/chat/0', at: 'busy', ...signedIn, isNoisy: true, prepare: fail(tokens) },
  { page: 'chat', state: 'question', path: '/chat/0', at: 'busy', ...signedIn, isLoadedAnew: true, isWalked: true },
  {
    page: 'chat',
    state: 'open',
    path: '/chat/0',
    at: 'busy',
    ...signedIn,
    isLoadedAnew: true,
    // axe itself writes to the frame.
    isNoisy: true,
    prepare: answerAsSite,
    act: async (page) => {
      await allow(page)
      await page.frameLocator('.chat-frame').getByText('A chat').waitFor()
    },
  },
  { page: 'chat', state: 'program', path: '/chat/3', at: 'busy', ...signedIn, isLoadedAnew: true, act: allow },
  { page: 'chat', state: 'misconfigured', path: '/chat/99', at: 'busy', ...signedIn },
  { page: 'home', state: 'written', path: '/', at: 'empty', isLoadedAnew: true, prepare: tells(homeAddress, written) },
  {
    page: 'home',
    state: 'written-signed-in',
    path: '/',
    at: 'busy',
    ...signedIn,
    isLoadedAnew: true,
    prepare: tells(homeAddress, written),
    act: (page) => page.locator('.operator-page').waitFor(),
  },
  { page: 'home', state: 'failed', path: '/', at: 'empty', isNoisy: true, prepare: fail(homeAddress) },
  {
    page: 'home',
    state: 'more',
    path: '/',
    at: 'empty',
    act: (page) => page.locator('.landing-more').waitFor(),
  },
  {
    page: 'home',
    state: 'new-year',
    path: '/',
    at: 'empty',
    isLoadedAnew: true,
    prepare: (page) => page.clock.setFixedTime(new Date('2027-01-01T12:00:00')),
    act: async (page) => {
      await page.locator('.top-bar-end button').first().click()
      await page.locator('.new-year').waitFor()
      // The following screens use the real time.
      await page.clock.setSystemTime(new Date())
    },
  },
  ...Object.entries({ idle: jobs, running, failed: afterFailure, empty: [] }).map(
    ([state, told]): Screen => ({
      page: 'jobs',
      state,
      path: '/jobs',
      at: 'busy',
      ...signedIn,
      prepare: async (page) => {
        await tells(/\/api\/backup$/, noBackups)(page)
        await tells(jobsAddress, told)(page)
      },
    }),
  ),
  { page: 'jobs', state: 'loading', path: '/jobs', at: 'busy', ...signedIn, prepare: holdBack(jobsAddress) },
  { page: 'jobs', state: 'error', path: '/jobs', at: 'busy', ...signedIn, isNoisy: true, prepare: fail(jobsAddress) },
  { page: 'jobs', state: 'filled', path: '/jobs', at: 'busy', ...signedIn, isLoadedAnew: true, isWalked: true },
  { page: 'chat2link', state: 'unconfigured', path: '/chat2link', at: 'busy', ...signedIn },
]
