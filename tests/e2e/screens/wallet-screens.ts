import type { Page } from '@playwright/test'
import { chooseInRow, fail, holdBack, openRowMenu, startForm, submitDrawer } from '../screen-acts.ts'
import { listsCodes, makesCodes, sells } from '../stub-wallet.ts'
import { type Screen, signedIn } from './screen.ts'

const codeAddress = /\/api\/redemption\?/
const codes = { page: 'redemption', path: '/redemption', at: 'busy', ...signedIn, prepare: listsCodes } as const
const wallet = { page: 'wallet', path: '/topup', at: 'busy', ...signedIn, prepare: sells, isLoadedAnew: true } as const

const askToPay = async (page: Page) => {
  await page.locator('.topup-methods button').first().click()
  await page.locator('.bp6-dialog').waitFor()
}

/** Stubs a complete wallet except for its top-ups. */
function sellsWithout(manner: typeof fail) {
  const holds = manner(/\/api\/log\/self\?.*type=1/)
  return async (page: Page) => {
    await sells(page)
    await holds(page)
  }
}

const hasHistory = (what: string) => (page: Page) => page.locator(`.topup-section ${what}`).last().waitFor()

/** Redemption codes, orders and the wallet, in their states. */
export const walletScreens: readonly Screen[] = [
  { ...codes, state: 'filled', isWalked: true },
  { ...codes, state: 'empty', at: 'empty', prepare: () => undefined, isLoadedAnew: true },
  { ...codes, state: 'loading', prepare: holdBack(codeAddress) },
  { ...codes, state: 'failed', isNoisy: true, prepare: fail(codeAddress) },
  { ...codes, state: 'menu', act: openRowMenu },
  { ...codes, state: 'view', act: chooseInRow('eye-open') },
  { ...codes, state: 'new', act: startForm },
  {
    ...codes,
    state: 'problems',
    act: async (page) => {
      await startForm(page)
      await page.locator('.side-drawer input').first().fill('x'.repeat(21))
      await submitDrawer(page)
    },
  },
  {
    ...codes,
    state: 'made',
    prepare: makesCodes,
    act: async (page) => {
      await startForm(page)
      await submitDrawer(page)
      await page.locator('.bp6-dialog').waitFor()
    },
  },
  { ...codes, state: 'edit', act: chooseInRow('edit') },
  { ...codes, state: 'orders', path: '/redemption?tab=orders', isWalked: true },
  { ...codes, state: 'credit', path: '/redemption?tab=orders', act: chooseInRow('tick') },
  { ...wallet, state: 'filled', isWalked: true },
  { ...wallet, state: 'off', prepare: () => undefined },
  { ...wallet, state: 'loading', prepare: holdBack(/\/api\/user\/self$/) },
  { ...wallet, state: 'failed', isNoisy: true, prepare: fail(/\/api\/user\/self$/) },
  { ...wallet, state: 'history-loading', prepare: sellsWithout(holdBack), act: hasHistory('.bp6-skeleton') },
  { ...wallet, state: 'history-failed', isNoisy: true, prepare: sellsWithout(fail), act: hasHistory('.blank-state') },
  {
    ...wallet,
    state: 'redeemed',
    act: async (page) => {
      await page.locator('input[name=code]').fill('8a0c4f1e9b7d42538a0c4f1e9b7d4253')
      await page.keyboard.press('Enter')
      await page.locator('.bp6-dialog').waitFor()
    },
  },
  { ...wallet, state: 'confirm', act: askToPay },
  {
    ...wallet,
    state: 'waiting',
    act: async (page) => {
      await askToPay(page)
      await page.locator('.bp6-dialog button.bp6-intent-primary').click()
      await page.locator('.payment-state').waitFor()
    },
  },
]
