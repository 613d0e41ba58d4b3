import type { ComponentType } from 'react'
import { Navigate } from 'react-router-dom'
import type { TextKey, TextPart } from './i18n.ts'
import HomePage from './pages/home/index.tsx'

/**
 * Who may see a page. `setup`: only before the first setup; `guest`: signed-out users; `user`: signed-in users;
 * `admin`: role 10 and up; `root`: the super administrator.
 */
export type Access = 'anyone' | 'setup' | 'guest' | 'user' | 'admin' | 'root'

/** The groups of the sidebar in order; the first one has no heading (docs/reference/screens.md#shell). */
export const menuGroups = ['start', 'console', 'admin', 'personal'] as const

/** What links to a page: the sidebar, or another page. */
export type MenuOwner = 'sidebar' | '/log' | '/channel' | '/setting'

/** The page's entry in the menus; the command palette lists all of them. */
export type MenuEntry = Readonly<{
  group: (typeof menuGroups)[number]
  /** The sidebar if omitted. */
  on?: MenuOwner
  /** Replaces `on` in self-use mode, for pages that a single user rarely needs. */
  inSelfUse?: MenuOwner
  label: TextKey
  key: string
  /** The public status flag that must be on for menus to show the page. */
  flag?: 'enable_drawing' | 'enable_task'
  action?: TextKey
}>

/** A page of the console; `load` is a function so that the page's code is fetched only on navigation. */
export type PageRoute = Readonly<{
  path: string
  access: Access
  load: () => Promise<{ default: ComponentType }>
  /** Texts in addition to those of all pages (tests/renderer/page-texts.test.ts). */
  texts?: readonly TextPart[]
  /** Paths below the page's own that show the same page and open something in it. */
  within?: readonly string[]
  menu?: MenuEntry
}>

export const pageRoutes: readonly PageRoute[] = [
  { path: '/', access: 'anyone', load: async () => ({ default: HomePage }) },
  {
    path: '/setup',
    access: 'setup',
    load: () => import('./pages/setup/index.tsx'),
    texts: ['setup', 'entry'],
  },
  {
    path: '/login',
    access: 'guest',
    load: () => import('./pages/login/index.tsx'),
    texts: ['entry', 'providers'],
  },
  {
    path: '/register',
    access: 'guest',
    load: () => import('./pages/register/index.tsx'),
    texts: ['entry', 'providers'],
  },
  {
    path: '/reset',
    access: 'guest',
    load: () => import('./pages/reset/index.tsx'),
    texts: ['entry'],
  },
  {
    path: '/user/reset',
    access: 'anyone',
    load: () => import('./pages/new-password/index.tsx'),
    texts: ['entry'],
  },
  oauthReturn('/oauth/github'),
  oauthReturn('/oauth/oidc'),
  oauthReturn('/oauth/linuxdo'),
  {
    path: '/handover',
    access: 'user',
    load: () => import('./pages/handover/index.tsx'),
    texts: ['providers'],
  },
  {
    path: '/about',
    access: 'anyone',
    load: () => import('./pages/about/index.tsx'),
    texts: ['home'],
  },
  {
    path: '/playground',
    access: 'user',
    load: () => import('./pages/playground/index.tsx'),
    texts: ['playground'],
    menu: { group: 'start', label: 'label.playground', key: 'p' },
  },
  {
    path: '/chat',
    access: 'user',
    load: () => import('./pages/chat/index.tsx'),
    texts: ['chat'],
    within: [':id'],
  },
  {
    path: '/chat2link',
    access: 'user',
    load: () => import('./pages/chat2link/index.tsx'),
    texts: ['chat'],
  },
  {
    path: '/connect/client',
    access: 'user',
    load: () => import('./pages/connect-client/index.tsx'),
    texts: ['connect'],
    menu: { group: 'start', label: 'page.connectClient', key: 'k' },
  },
  {
    path: '/connect/guest',
    access: 'anyone',
    load: () => import('./pages/guest/index.tsx'),
    texts: ['connect'],
  },
  {
    path: '/detail',
    access: 'user',
    load: () => import('./pages/dashboard/index.tsx'),
    texts: ['dashboard', 'home', 'help', 'log'],
    menu: { group: 'console', label: 'label.dashboard', key: 'd' },
  },
  {
    path: '/token',
    access: 'user',
    load: () => import('./pages/token/index.tsx'),
    texts: ['token'],
    menu: { group: 'console', label: 'label.apiTokens', key: 't', action: 'token.add' },
  },
  {
    path: '/log',
    access: 'user',
    load: () => import('./pages/log/index.tsx'),
    texts: ['log'],
    menu: { group: 'console', label: 'label.usageLogs', key: 'l' },
  },
  {
    path: '/midjourney',
    access: 'user',
    load: () => import('./pages/drawing-log/index.tsx'),
    texts: ['tasks', 'log'],
    menu: { group: 'console', on: '/log', label: 'label.drawingLogs', key: 'i', flag: 'enable_drawing' },
  },
  {
    path: '/task',
    access: 'user',
    load: () => import('./pages/task-log/index.tsx'),
    texts: ['tasks', 'log'],
    menu: { group: 'console', on: '/log', label: 'label.taskLogs', key: 'j', flag: 'enable_task' },
  },
  {
    path: '/pricing',
    access: 'anyone',
    load: () => import('./pages/pricing/index.tsx'),
    texts: ['pricing', 'log'],
    menu: { group: 'console', inSelfUse: '/setting', label: 'label.pricing', key: 'r' },
  },
  {
    path: '/channel',
    access: 'admin',
    load: () => import('./pages/channel/index.tsx'),
    texts: ['channels', 'channelTests', 'routing', 'connect'],
    within: ['new', 'add', 'edit/:id'],
    menu: { group: 'admin', label: 'label.channels', key: 'c', action: 'channel.add' },
  },
  {
    path: '/channel/local',
    access: 'root',
    load: () => import('./pages/local-models/index.tsx'),
    texts: ['channels'],
  },
  {
    path: '/explain-routing',
    access: 'admin',
    load: () => import('./pages/explain-routing/index.tsx'),
    texts: ['routing', 'help'],
    menu: { group: 'admin', on: '/channel', label: 'page.explainRouting', key: 'w' },
  },
  {
    path: '/connect/provider',
    access: 'admin',
    load: () => import('./pages/connect-provider/index.tsx'),
    texts: ['connect', 'channelTests', 'help'],
    menu: { group: 'admin', on: '/channel', label: 'page.connectProvider', key: 'v' },
  },
  {
    path: '/ledger',
    access: 'admin',
    load: () => import('./pages/ledger/index.tsx'),
    texts: ['ledger', 'option', 'optionRefusal'],
    menu: { group: 'admin', on: '/setting', label: 'page.ledger', key: 'b', action: 'ledger.verifyNow' },
  },
  {
    path: '/jobs',
    access: 'admin',
    load: () => import('./pages/jobs/index.tsx'),
    texts: ['jobs', 'channels'],
    menu: { group: 'admin', on: '/setting', label: 'page.jobs', key: 'o' },
  },
  {
    path: '/share',
    access: 'root',
    load: () => import('./pages/share/index.tsx'),
    texts: ['jobs', 'channels', 'token'],
    menu: { group: 'admin', on: '/setting', label: 'page.share', key: 'n' },
  },
  {
    path: '/redemption',
    access: 'admin',
    load: () => import('./pages/redemption/index.tsx'),
    texts: ['wallet', 'token'],
    menu: { group: 'admin', inSelfUse: '/setting', label: 'label.redemptionCodes', key: 'e', action: 'redemption.add' },
  },
  {
    path: '/user',
    access: 'admin',
    load: () => import('./pages/user/index.tsx'),
    texts: ['users', 'entry'],
    within: ['new', 'invite', 'edit/:id', 'quota/:id'],
    menu: { group: 'admin', inSelfUse: '/setting', label: 'label.users', key: 'u', action: 'user.add' },
  },
  {
    path: '/setting',
    access: 'admin',
    load: () => import('./pages/setting/index.tsx'),
    texts: ['setting', 'settingTools', 'settingHistory', 'priceEditor', 'catalogue', 'option', 'optionRefusal'],
    menu: { group: 'admin', label: 'label.systemSettings', key: 's' },
  },
  {
    path: '/topup',
    access: 'user',
    load: () => import('./pages/topup/index.tsx'),
    texts: ['wallet'],
    menu: { group: 'personal', inSelfUse: '/setting', label: 'label.wallet', key: 'a' },
  },
  {
    path: '/personal',
    access: 'user',
    load: () => import('./pages/personal/index.tsx'),
    texts: ['personal', 'entry', 'providers'],
    menu: { group: 'personal', label: 'label.personalSettings', key: 'm' },
  },
  // Without an id, users edit their own accounts.
  { path: '/user/edit', access: 'user', load: async () => ({ default: () => <Navigate to="/personal" replace /> }) },
  {
    path: '/import',
    access: 'root',
    load: () => import('./pages/import/index.tsx'),
    texts: ['imports', 'option'],
  },
  ...(import.meta.env.DEV ? [gallery()] : []),
  { path: '*', access: 'anyone', load: () => import('./pages/not-found/index.tsx'), texts: ['help'] },
]

function gallery(): PageRoute {
  return { path: '/components', access: 'anyone', load: () => import('./pages/components/index.tsx') }
}

function oauthReturn(path: string): PageRoute {
  return {
    path,
    access: 'anyone',
    load: () => import('./pages/oauth/index.tsx'),
    texts: ['providers'],
  }
}
