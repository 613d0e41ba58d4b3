import type { Page } from '@playwright/test'
import {
  askForLink,
  asksForCode,
  enterAccount,
  enterWrongCode,
  refusesWith,
  requestCode,
  statusSays,
  submitCard,
  takeNewPassword,
} from '../entry-acts.ts'
import { chooseOtherWay, passkeyIsRefused, pressPasskey } from '../passkey-acts.ts'
import {
  askBrowser,
  DESKTOP_LOGIN,
  inDesktop,
  openWechat,
  seeTelegram,
  sendWrongCode,
  withProviders,
} from '../provider-acts.ts'
import { seeWidget, withHumanCheck } from '../setting-acts.ts'
import { tells } from '../stub-routing.ts'
import type { Screen } from './screen.ts'

const link = '/user/reset?email=ann%40example.com&token=0123456789abcdef0123456789abcdef'
const resetCall = /\/api\/user\/reset$/

const confirmsMail = statusSays({ email_verification: true })

const isInvited = tells(/\/api\/invitation\/look$/, {
  invited_by: 'Root User',
  role: 1,
  quota: 0,
  expires_at: 4_000_000_000,
})

const pressPrimary = async (page: Page) => {
  await page.locator('.entry-card .bp6-intent-primary').click()
  await page.locator('.entry-card .bp6-callout').waitFor()
}

/** The pages for visitors who are not logged in, in their states. */
export const entryScreens: readonly Screen[] = [
  { page: 'login', state: 'start', path: '/login', at: 'empty' },
  { page: 'login', state: 'expired', path: '/login?expired=true', at: 'empty' },
  { page: 'login', state: 'human-check', path: '/login', at: 'busy', prepare: withHumanCheck, act: seeWidget },
  { page: 'login', state: 'code', path: '/login', at: 'empty', prepare: asksForCode, act: enterAccount },
  { page: 'login', state: 'code-wrong', path: '/login', at: 'empty', prepare: asksForCode, act: enterWrongCode },
  {
    page: 'login',
    state: 'providers',
    path: '/login',
    at: 'empty',
    prepare: withProviders,
    act: seeTelegram,
    isWalked: true,
  },
  { page: 'login', state: 'passkey', path: '/login', at: 'namedEmpty', prepare: withProviders, act: seeTelegram },
  {
    page: 'login',
    state: 'passkey-refused',
    path: '/login',
    at: 'namedEmpty',
    prepare: passkeyIsRefused,
    act: pressPasskey,
  },
  { page: 'login', state: 'wechat', path: '/login', at: 'empty', prepare: withProviders, act: openWechat },
  { page: 'login', state: 'wechat-refused', path: '/login', at: 'empty', prepare: withProviders, act: sendWrongCode },
  { page: 'login', state: 'desktop', path: DESKTOP_LOGIN, at: 'empty', prepare: inDesktop },
  { page: 'login', state: 'desktop-waiting', path: DESKTOP_LOGIN, at: 'empty', prepare: inDesktop, act: askBrowser },
  { page: 'handover', state: 'start', path: '/handover?id=an-id', at: 'empty', isSignedIn: true, isWalked: true },
  {
    page: 'handover',
    state: 'refused',
    path: '/handover?id=an-id',
    at: 'empty',
    isSignedIn: true,
    isLoadedAnew: true,
    act: pressPrimary,
  },
  {
    page: 'handover',
    state: 'done',
    path: '/handover?id=an-id',
    at: 'empty',
    isSignedIn: true,
    isLoadedAnew: true,
    prepare: tells(/\/api\/user\/handover\/grant$/, null),
    act: pressPrimary,
  },
  {
    page: 'login',
    state: 'no-telegram',
    path: '/login',
    at: 'empty',
    isNoisy: true,
    prepare: statusSays({ telegram_oauth: true, telegram_bot_name: 'switchyard_bot' }),
    act: (page) => page.locator('.telegram-field .bp6-callout').waitFor(),
  },
  {
    page: 'register',
    state: 'providers',
    path: '/register',
    at: 'empty',
    prepare: withProviders,
    act: seeTelegram,
    isWalked: true,
  },
  {
    page: 'register',
    state: 'invited',
    path: '/register?invite=a-code',
    at: 'empty',
    prepare: (page) => Promise.all([withProviders(page), isInvited(page)]),
    act: seeTelegram,
  },
  { page: 'register', state: 'start', path: '/register', at: 'empty' },
  { page: 'register', state: 'passkey-offered', path: '/register', at: 'namedEmpty' },
  { page: 'register', state: 'passkey', path: '/register', at: 'namedEmpty', act: chooseOtherWay },
  { page: 'register', state: 'problems', path: '/register', at: 'empty', prepare: confirmsMail, act: submitCard },
  {
    page: 'register',
    state: 'code-sent',
    path: '/register',
    at: 'empty',
    prepare: (page) => Promise.all([confirmsMail(page), tells(/\/api\/verification\?/, null)(page)]),
    act: requestCode,
  },
  { page: 'register', state: 'human-check', path: '/register', at: 'empty', prepare: withHumanCheck, act: seeWidget },
  {
    page: 'register',
    state: 'closed',
    path: '/register',
    at: 'empty',
    prepare: statusSays({ register_enabled: false }),
  },
  { page: 'reset', state: 'start', path: '/reset', at: 'empty', isWalked: true },
  {
    page: 'reset',
    state: 'sent',
    path: '/reset',
    at: 'empty',
    prepare: tells(/\/api\/reset_password\?/, null),
    act: askForLink,
  },
  {
    page: 'reset',
    state: 'refused',
    path: '/reset',
    at: 'empty',
    prepare: refusesWith(/\/api\/reset_password\?/, 'The mail server is not configured'),
    act: askForLink,
  },
  { page: 'new-password', state: 'start', path: link, at: 'empty' },
  { page: 'new-password', state: 'incomplete', path: '/user/reset?email=ann%40example.com', at: 'empty' },
  {
    page: 'new-password',
    state: 'done',
    path: link,
    at: 'empty',
    prepare: tells(resetCall, 'h3Kq9ZtB7wLx'),
    act: takeNewPassword,
  },
  {
    page: 'new-password',
    state: 'refused',
    path: link,
    at: 'empty',
    prepare: refusesWith(resetCall, 'The reset link is invalid or has expired. Request a new one.'),
    act: takeNewPassword,
  },
]
