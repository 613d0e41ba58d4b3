import type { Page } from '@playwright/test'
import type { ShareView } from '../../../shared/api/share.ts'
import { fail, holdBack, startForm } from '../screen-acts.ts'
import { tells } from '../stub-routing.ts'
import { checks, decided, devices, keys, off, plain, shared, short, unproven } from '../stub-share.ts'
import { type Screen, signedIn } from './screen.ts'

const view = /\/api\/share$/
const base = { page: 'share', path: '/share', at: 'busy', ...signedIn } as const

/** Stubs the page with these keys and devices. */
const showing =
  (told: ShareView, isEmpty = false) =>
  async (page: Page) => {
    await tells(view, told)(page)
    await tells(/\/api\/share\/check$/, checks)(page)
    await tells(/\/api\/share\/keys$/, isEmpty ? [] : keys)(page)
    await tells(/\/api\/share\/devices$/, isEmpty ? [] : devices)(page)
  }

/** Scrolls to the part of the page that a state is about. */
const lookAt = (part: string) => (page: Page) => page.locator(part).first().scrollIntoViewIfNeeded()
const checked = (page: Page) => page.locator('.share-why').nth(1).waitFor()

const made = { ...keys[0], key: `sk-${'a1B2'.repeat(12)}` }
const make = async (page: Page) => {
  await startForm(page)
  await page.locator('.side-drawer input').first().fill('Ann')
}
const makeWhole = async (page: Page) => {
  await make(page)
  await tells(/\/api\/share\/keys$/, made)(page)
  await page.locator('.side-drawer button[type=submit]').click()
  await page.locator('.bp6-dialog').waitFor()
}

const guestPath = `/connect/guest#key=${made.key}`
const models = (status: number) => async (page: Page) => {
  await page.route(/\/v1\/models$/, (route) =>
    route.fulfill({ status, json: { object: 'list', data: [{ id: 'gpt-4o' }, { id: 'gpt-4o-mini' }] } }),
  )
  const allowance = { hard_limit_usd: 5, access_until: 1_800_000_000, total_usage: 120 }
  await page.route(/\/v1\/dashboard\/billing\//, (route) => route.fulfill({ json: allowance }))
}

/** Sharing on the local network, and a guest's view of it, in their states. */
export const shareScreens: readonly Screen[] = [
  { ...base, state: 'off', prepare: showing(off, true) },
  { ...base, state: 'shared', prepare: showing(shared), act: checked, isWalked: true },
  { ...base, state: 'keys', prepare: showing(shared), act: lookAt('.share-item') },
  { ...base, state: 'settings', prepare: showing(plain), act: lookAt('.share-form textarea') },
  {
    ...base,
    state: 'trust',
    prepare: showing(shared),
    act: async (page) => {
      await page.locator('.share-fold summary').click()
      await lookAt('.share-facts')(page)
    },
  },
  { ...base, state: 'short', prepare: showing(short, true) },
  { ...base, state: 'unproven', prepare: showing(unproven, true) },
  { ...base, state: 'decided', prepare: showing(decided) },
  {
    ...base,
    state: 'stopping',
    prepare: showing(shared),
    act: async (page) => {
      await page.locator('.share-stop').click()
      await page.locator('.bp6-dialog').waitFor()
    },
  },
  { ...base, state: 'new-key', prepare: showing(shared), isLoadedAnew: true, act: make },
  { ...base, state: 'made-key', prepare: showing(shared), isLoadedAnew: true, act: makeWhole },
  { ...base, state: 'loading', prepare: holdBack(view) },
  { ...base, state: 'error', isNoisy: true, prepare: fail(view) },
  {
    page: 'guest',
    state: 'key',
    path: guestPath,
    at: 'busy',
    isLoadedAnew: true,
    prepare: models(200),
    isWalked: true,
  },
  { page: 'guest', state: 'refused', path: guestPath, at: 'busy', isNoisy: true, prepare: models(401) },
  { page: 'guest', state: 'missing', path: '/connect/guest', at: 'busy', isLoadedAnew: true },
]
