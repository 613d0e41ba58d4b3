import type { Page } from '@playwright/test'
import { soldModels } from '../receipt-rows.ts'
import {
  chooseInRow,
  editRow,
  fail,
  holdBack,
  openBudgets,
  openColumns,
  openExport,
  openFilters,
  openRange,
  openReceiptOf,
  openRowMenu,
  openSaved,
  readBudgets,
  startForm,
  submitDrawer,
} from '../screen-acts.ts'
import { askCost, sellsModels, unfoldPrices } from '../stub-pricing.ts'
import { type Screen, signedIn } from './screen.ts'

const openEntry = (place: number) => async (page: Page) => {
  await page.locator('.page-table-opener').nth(place).click()
  await page.locator('.log-detail').waitFor()
}

const pricingAddress = /\/api\/pricing$/

/** Tokens, the usage log and the public prices, in their states. */
export const listScreens: readonly Screen[] = [
  { page: 'token', state: 'empty', path: '/token', at: 'empty', ...signedIn },
  { page: 'token', state: 'filled', path: '/token', at: 'busy', ...signedIn, isWalked: true },
  { page: 'token', state: 'loading', path: '/token', at: 'busy', ...signedIn, prepare: holdBack(/\/api\/token\?/) },
  {
    page: 'token',
    state: 'failed',
    path: '/token',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: fail(/\/api\/token\?/),
  },
  { page: 'token', state: 'new', path: '/token', at: 'busy', ...signedIn, act: startForm },
  { page: 'token', state: 'menu', path: '/token', at: 'busy', ...signedIn, act: openRowMenu },
  {
    page: 'token',
    state: 'problems',
    path: '/token',
    at: 'busy',
    ...signedIn,
    act: async (page) => {
      await startForm(page)
      await submitDrawer(page)
    },
  },
  { page: 'token', state: 'edit', path: '/token', at: 'busy', ...signedIn, act: editRow },
  { page: 'token', state: 'budgets', path: '/token', at: 'busy', ...signedIn, act: openBudgets },
  { page: 'token', state: 'budgets-told', path: '/token', at: 'busy', ...signedIn, act: readBudgets },
  { page: 'token', state: 'delete', path: '/token', at: 'busy', ...signedIn, act: chooseInRow('trash') },
  { page: 'log', state: 'empty', path: '/log', at: 'empty', ...signedIn },
  { page: 'log', state: 'filled', path: '/log', at: 'busy', ...signedIn, isWalked: true },
  { page: 'log', state: 'filters', path: '/log', at: 'busy', ...signedIn, act: openFilters },
  { page: 'log', state: 'saved', path: '/log', at: 'busy', ...signedIn, act: openSaved },
  { page: 'log', state: 'export', path: '/log', at: 'busy', ...signedIn, act: openExport },
  { page: 'log', state: 'range', path: '/log', at: 'busy', ...signedIn, act: openRange },
  {
    page: 'log',
    state: 'open',
    path: '/log',
    at: 'busy',
    ...signedIn,
    act: openEntry(1),
  },
  ...soldModels.map(
    ({ kind, model }): Screen => ({
      page: 'log',
      state: `receipt-${kind}`,
      path: '/log?size=20',
      at: 'busy',
      ...signedIn,
      act: openReceiptOf(model),
    }),
  ),
  { page: 'log', state: 'loading', path: '/log', at: 'busy', ...signedIn, prepare: holdBack(/\/api\/log\/?\?/) },
  {
    page: 'log',
    state: 'failed',
    path: '/log',
    at: 'busy',
    ...signedIn,
    isNoisy: true,
    prepare: fail(/\/api\/log\?/),
  },
  { page: 'log', state: 'columns', path: '/log', at: 'busy', ...signedIn, act: openColumns },
  {
    page: 'log',
    state: 'failure-open',
    path: '/log',
    at: 'busy',
    ...signedIn,
    act: openEntry(0),
  },
  { page: 'pricing', state: 'visitor', path: '/pricing', at: 'busy' },
  { page: 'pricing', state: 'empty', path: '/pricing', at: 'empty' },
  { page: 'pricing', state: 'filled', path: '/pricing', at: 'busy', ...signedIn, prepare: sellsModels, isWalked: true },
  {
    page: 'pricing',
    state: 'unfolded',
    path: '/pricing?group=vip',
    at: 'busy',
    ...signedIn,
    prepare: sellsModels,
    act: unfoldPrices,
  },
  { page: 'pricing', state: 'no-match', path: '/pricing?q=zzz', at: 'busy', ...signedIn },
  { page: 'pricing', state: 'cost', path: '/pricing?cost=gpt-4o', at: 'busy', ...signedIn, act: askCost },
  { page: 'pricing', state: 'loading', path: '/pricing', at: 'busy', prepare: holdBack(pricingAddress) },
  { page: 'pricing', state: 'failed', path: '/pricing', at: 'busy', isNoisy: true, prepare: fail(pricingAddress) },
]
