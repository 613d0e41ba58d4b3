import type { Page } from '@playwright/test'
import { chooseInRow, fail, holdBack, openRowMenu, startForm, submitDrawer } from '../screen-acts.ts'
import { listsUsers } from '../stub-users.ts'
import { type Screen, signedIn } from './screen.ts'

const listAddress = /\/api\/user\?/

const seen = { page: 'user', path: '/user', at: 'busy', ...signedIn, prepare: listsUsers } as const

/** Opens an account's menu, found by its username because labels differ by language. */
const openMenuOf = (username: string) => (page: Page) =>
  page.locator('.page-table :is(tr, li)').filter({ hasText: username }).locator('button:has([data-icon=more])').click()

/** On a phone the filters are behind a button. */
const unfoldFilters = async (page: Page) => {
  const button = page.locator('main button:has([data-icon=filter])')
  await button.or(page.locator('.filter-bar-fields:visible')).waitFor()
  // settled: the width of the window decides whether the button or the fields are shown
  if (await button.isVisible()) await button.click()
}

/** Opens the dialog that adds to the balance, and enters an amount. */
const addQuota = async (page: Page) => {
  await page.locator('.side-drawer button:has([data-icon=plus])').click()
  await page.locator('.bp6-dialog input').fill('-12.5')
}

/** The accounts and their forms, in their states. */
export const userScreens: readonly Screen[] = [
  { ...seen, state: 'filled', isWalked: true },
  { ...seen, state: 'loading', prepare: holdBack(listAddress) },
  { ...seen, state: 'failed', isNoisy: true, prepare: fail(listAddress) },
  {
    page: 'user',
    state: 'no-match',
    path: '/user?keyword=nobody&group=vip',
    at: 'busy',
    ...signedIn,
    act: unfoldFilters,
  },
  { ...seen, state: 'menu', act: openMenuOf('wilhelmina_k') },
  { ...seen, state: 'menu-cannot', act: openMenuOf('imported') },
  { ...seen, state: 'root-menu', act: openRowMenu },
  {
    ...seen,
    state: 'disable',
    act: async (page) => {
      await openMenuOf('wilhelmina_k')(page)
      await page.locator('.bp6-popover .bp6-menu-item:has([data-icon=disable])').click()
      await page.locator('.bp6-dialog').waitFor()
    },
  },
  {
    ...seen,
    state: 'reset-factors',
    act: async (page) => {
      await openMenuOf('wilhelmina_k')(page)
      await page.locator('.bp6-popover .bp6-menu-item:has([data-icon=key])').click()
      await page.locator('.bp6-dialog').waitFor()
    },
  },
  { ...seen, state: 'new', act: startForm },
  {
    ...seen,
    state: 'problems',
    act: async (page) => {
      await startForm(page)
      await submitDrawer(page)
    },
  },
  { ...seen, state: 'invite', path: '/user/invite', act: (page) => page.getByRole('dialog').waitFor() },
  { ...seen, state: 'edit', act: chooseInRow('edit') },
  { ...seen, state: 'bindings', path: '/user/edit/2', act: (page) => page.locator('.user-bindings').hover() },
  { ...seen, state: 'add-quota', path: '/user/edit/2', act: addQuota },
]
