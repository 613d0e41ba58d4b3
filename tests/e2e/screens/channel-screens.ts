import type { Page } from '@playwright/test'
import { modelsFail, moveChannel, seeModelsMissing } from '../editor-acts.ts'
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
} from '../run-acts.ts'
import {
  chooseInRow,
  editRow,
  fail,
  holdBack,
  openColumns,
  openRowMenu,
  startForm,
  startMain,
  submitDrawer,
} from '../screen-acts.ts'
import { cooldowns, explanation, keys, refused, severalKeys, tells, unpriced } from '../stub-routing.ts'
import { type Screen, signedIn } from './screen.ts'

const cooldownsPath = /\/api\/channel\/cooldowns/

const keysPath = /\/api\/channel\/keys\//

const explainAddress = /\/api\/channel\/explain/

const tellsOfKeys = async (page: Page) => {
  await severalKeys(page)
  await tells(keysPath, keys)(page)
}

const listsCooldowns = async (page: Page) => {
  await severalKeys(page)
  await tells(cooldownsPath, cooldowns)(page)
  await tells(keysPath, keys.slice(0, 5))(page)
}

/** Channels and the explanation of routing, in their states. */
export const channelScreens: readonly Screen[] = [
  { page: 'channel', state: 'empty', path: '/channel', at: 'empty', ...signedIn },
  { page: 'channel', state: 'filled', path: '/channel', at: 'busy', ...signedIn, isWalked: true },
  { page: 'channel', state: 'new', path: '/channel', at: 'busy', ...signedIn, act: startForm },
  { page: 'channel', state: 'menu', path: '/channel', at: 'busy', ...signedIn, act: openRowMenu },
  { page: 'channel', state: 'edit', path: '/channel', at: 'busy', ...signedIn, act: editRow },
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
    state: 'problems',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    act: async (page) => {
      await startMain(page)
      await submitDrawer(page)
    },
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
    state: 'tag-open',
    path: '/channel',
    at: 'busy',
    ...signedIn,
    remembered: { 'enable-tag-mode': 'true' },
    act: (page) => page.locator('.page-table-opener').first().click(),
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
    act: editRow,
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
]
