import {
  announce,
  callFromOutside,
  chooseExample,
  holdBack,
  tellAbout,
  tryAccount,
  vendorAnswers,
} from '../screen-acts.ts'
import { importStates } from '../stub-import.ts'
import { tells } from '../stub-routing.ts'
import { movesPrograms, setsUp, setUpStates } from '../stub-set-up.ts'
import { goodVendor, refusals, refusingVendor } from '../tried-vendor.ts'
import { type Screen, signedIn } from './screen.ts'

const importAddress = /\/api\/import$/

/** The first pages that a user sees, and those of a new installation, in their states. */
export const firstScreens: readonly Screen[] = [
  { page: 'setup', state: 'start', path: '/setup', at: 'fresh', isWalked: true },
  {
    page: 'setup',
    state: 'problems',
    path: '/setup',
    at: 'fresh',
    act: (page) => page.locator('form button[type=submit]').click(),
  },
  { page: 'home', state: 'visitor', path: '/', at: 'empty' },
  {
    page: 'dashboard',
    state: 'announced',
    path: '/detail',
    at: 'busy',
    ...signedIn,
    isLoadedAnew: true,
    prepare: announce,
    act: (page) => page.locator('.operator-notice').waitFor(),
  },
  { page: 'about', state: 'empty', path: '/about', at: 'empty', ...signedIn },
  { page: 'about', state: 'written', path: '/about', at: 'busy', prepare: tellAbout },
  { page: 'not-found', state: 'visitor', path: '/nowhere', at: 'empty' },
  { page: 'connect-provider', state: 'start', path: '/connect/provider', at: 'empty', ...signedIn, isWalked: true },
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
  { page: 'connect-client', state: 'filled', path: '/connect/client', at: 'busy', ...signedIn, isWalked: true },
  ...['anthropic-sdk', 'codex', 'goose', 'lobechat', 'cursor', 'other'].map(
    (id): Screen => ({
      page: 'connect-client',
      state: id,
      path: '/connect/client',
      at: 'busy',
      ...signedIn,
      act: chooseExample(id),
    }),
  ),
  ...setUpStates.map(
    (state): Screen => ({
      page: 'connect-client',
      state: `set-up-${state}`,
      path: '/connect/client',
      at: 'busy',
      ...signedIn,
      isLoadedAnew: true,
      act: setsUp(state),
    }),
  ),
  ...(['told', 'plan', 'done'] as const).map(
    (state): Screen => ({
      page: 'connect-client',
      state: `moved-${state}`,
      path: '/connect/client',
      at: 'busy',
      ...signedIn,
      isLoadedAnew: true,
      act: (page) => movesPrograms(page, state),
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
  { page: 'import', state: 'start', path: '/import', at: 'busy', ...signedIn, isWalked: true },
  ...Object.entries(importStates).map(
    ([state, told]): Screen => ({
      page: 'import',
      state,
      path: '/import',
      at: 'busy',
      ...signedIn,
      prepare: tells(importAddress, told),
    }),
  ),
  { page: 'import', state: 'loading', path: '/import', at: 'busy', ...signedIn, prepare: holdBack(importAddress) },
]
