import { showGroups, showPrices } from '../price-acts.ts'
import { fail } from '../screen-acts.ts'
import {
  addWrongDomain,
  answersWith,
  askForProof,
  askToClear,
  findRelease,
  showSection,
  tryOut,
  withCached,
  withRelease,
  withSiteKey,
} from '../setting-acts.ts'
import { historyPage, importReport, noHistory } from '../stub-history.ts'
import { tells } from '../stub-routing.ts'
import { catalogueScreens } from './catalogue-screens.ts'
import { type Screen, signedIn } from './screen.ts'

const historyPath = /\/api\/option\/history/

const settingAt = (state: string, tab: string, more: Partial<Screen>): Screen => ({
  page: 'setting-tools',
  state,
  path: `/setting?tab=${tab}`,
  at: 'busy',
  ...signedIn,
  ...more,
})

const said = 'Ok: queued as 4WbT2k1Qz2z9s'

/** The panels of the settings that consist of more than fields, and their dialogs. */
const settingTools: readonly Screen[] = [
  settingAt('login', 'system', { act: showSection('system/login') }),
  settingAt('proof', 'system', { isLoadedAnew: true, prepare: withSiteKey, act: askForProof }),
  settingAt('whitelist', 'system', { act: addWrongDomain }),
  settingAt('mail', 'system', {
    prepare: answersWith(/\/api\/option\/test_mail$/, { said: `250 2.0.0 ${said}` }),
    act: tryOut('system/smtp', 'someone@example.org'),
  }),
  settingAt('oidc', 'system', { act: showSection('system/oidc') }),
  settingAt('worker', 'system', { act: tryOut('system/worker') }),
  settingAt('turnstile', 'system', { act: showSection('system/turnstile') }),
  settingAt('clearing', 'operation', {
    prepare: answersWith(/\/api\/log\/clearing/, { total: 12_345, has_more: false, running: null }),
    act: askToClear,
  }),
  settingAt('bodies', 'operation', {
    prepare: answersWith(/\/api\/bodies$/, { calls: 1234, bytes: 48_234_496 }),
    act: tryOut('operation/bodies'),
  }),
  settingAt('cache', 'models', { prepare: withCached, act: tryOut('models/cache') }),
  settingAt('release', 'other', { isLoadedAnew: true, prepare: withRelease, act: findRelease }),
]

export const settingScreens: readonly Screen[] = [
  ...(['operation', 'ratelimit', 'models', 'system', 'other'] as const).map(
    (tab): Screen => ({
      page: 'setting',
      state: tab,
      path: `/setting?tab=${tab}`,
      at: 'busy',
      ...signedIn,
      isWalked: true,
    }),
  ),
  ...catalogueScreens,
  { page: 'setting', state: 'found', path: '/setting?tab=operation&key=RetryTimes', at: 'busy', ...signedIn },
  { page: 'setting', state: 'looked-for', path: '/setting?q=quota', at: 'busy', ...signedIn },
  {
    page: 'setting',
    state: 'unsaved',
    path: '/setting',
    at: 'busy',
    ...signedIn,
    act: async (page) => {
      await page.locator('[name=RetryTimes]').fill('11')
      await page.locator('[name=USDExchangeRate]').fill('7.1')
    },
  },
  {
    page: 'setting',
    state: 'modified',
    path: '/setting?tab=models&key=claude.default_max_tokens',
    at: 'busy',
    ...signedIn,
    prepare: async (_, { busy }) => {
      await busy.inner.settings.set('claude.thinking_adapter_budget_tokens_percentage', '0.5')
    },
  },
  {
    page: 'setting',
    state: 'leaving',
    path: '/setting?tab=ratelimit',
    at: 'busy',
    ...signedIn,
    act: async (page) => {
      await page.locator('[name=ModelRequestRateLimitCount]').fill('5')
      await page.getByRole('tab').last().click()
      await page.locator('.confirm').waitFor()
    },
  },
  { page: 'setting', state: 'prices', path: '/setting', at: 'busy', ...signedIn, act: showPrices('visual') },
  {
    page: 'setting',
    state: 'price',
    path: '/setting',
    at: 'busy',
    ...signedIn,
    act: showPrices('visual', '.price-editor-actions button'),
  },
  { page: 'setting', state: 'unset', path: '/setting', at: 'busy', ...signedIn, act: showPrices('unset') },
  { page: 'setting', state: 'groups', path: '/setting', at: 'busy', ...signedIn, act: showGroups },
  {
    page: 'setting',
    state: 'failed',
    path: '/setting',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: fail(/\/api\/option$/),
  },
  {
    page: 'setting-history',
    state: 'list',
    path: '/setting?history=all',
    at: 'busy',
    ...signedIn,
    prepare: tells(historyPath, historyPage),
    act: async (page) => {
      await page.locator('.history-body .page-table button[aria-expanded=false]').nth(1).click()
      await page.locator('.value-change-table').waitFor()
    },
  },
  {
    page: 'setting-history',
    state: 'undo',
    path: '/setting?history=all',
    at: 'busy',
    ...signedIn,
    prepare: tells(historyPath, historyPage),
    act: async (page) => {
      await page.locator('.history-body .page-table button:not([aria-expanded])').nth(1).click()
      await page.locator('.confirm .value-change-table').waitFor()
    },
  },
  {
    page: 'setting-history',
    state: 'empty',
    path: '/setting?history=RetryTimes',
    at: 'busy',
    ...signedIn,
    prepare: tells(historyPath, noHistory),
    act: (page) => page.locator('.history-body .blank-state').waitFor(),
  },
  {
    page: 'setting-history',
    state: 'failed',
    path: '/setting?history=all',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: fail(historyPath),
    act: (page) => page.locator('.history-body .blank-state').waitFor(),
  },
  {
    page: 'setting-import',
    state: 'start',
    path: '/setting?import',
    at: 'busy',
    ...signedIn,
    act: (page) => page.locator('.import-file').waitFor(),
  },
  {
    page: 'setting-import',
    state: 'dry-run',
    path: '/setting?import',
    at: 'busy',
    ...signedIn,
    prepare: tells(/\/api\/option\/import/, importReport),
    act: async (page) => {
      const buffer = Buffer.from('{"product":"Switchyard","version":1,"options":{}}')
      await page
        .locator('.import-file input')
        .setInputFiles({ name: 'switchyard-settings-2026-11-22.json', mimeType: 'application/json', buffer })
      await page.locator('.import-items').first().waitFor()
    },
  },
  ...settingTools,
]
