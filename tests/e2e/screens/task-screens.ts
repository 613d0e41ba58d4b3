import type { Page } from '@playwright/test'
import { fail, holdBack, openRange } from '../screen-acts.ts'
import { hasDrawings, hasTasks } from '../stub-tasks.ts'
import { type Screen, signedIn } from './screen.ts'

/** The rows of any list; buttons outside them open dialogs too. */
const ROWS = 'main :is(.page-table-card, .page-table-cards)'

/** Opens the dialog of the n-th cell that has one. */
const openDialog = (nth: number) => async (page: Page) => {
  await page.locator(`${ROWS} [aria-haspopup=dialog]:visible`).nth(nth).click()
  await page.locator('.bp6-dialog').waitFor()
}

/** Opens the image of the first drawing that has one. */
const openPicture = async (page: Page) => {
  await page.locator(`${ROWS} [aria-haspopup=dialog]:not(.long-text)`).first().click()
  await page.locator('.bp6-dialog img').waitFor()
}

export const taskScreens: readonly Screen[] = [
  { page: 'drawing', state: 'empty', path: '/midjourney', at: 'empty', ...signedIn },
  {
    page: 'drawing',
    state: 'filled',
    path: '/midjourney',
    at: 'empty',
    ...signedIn,
    prepare: hasDrawings,
    isWalked: true,
  },
  {
    page: 'drawing',
    state: 'text',
    path: '/midjourney',
    at: 'empty',
    ...signedIn,
    prepare: hasDrawings,
    act: openDialog(1),
  },
  {
    page: 'drawing',
    state: 'picture',
    path: '/midjourney',
    at: 'empty',
    ...signedIn,
    prepare: hasDrawings,
    act: openPicture,
  },
  {
    page: 'drawing',
    state: 'filters',
    path: '/midjourney',
    at: 'empty',
    ...signedIn,
    prepare: hasDrawings,
    act: openRange,
  },
  {
    page: 'drawing',
    state: 'loading',
    path: '/midjourney',
    at: 'empty',
    ...signedIn,
    prepare: holdBack(/\/api\/mj\/?\?/),
  },
  {
    page: 'drawing',
    state: 'failed',
    path: '/midjourney',
    at: 'empty',
    ...signedIn,
    isNoisy: true,
    prepare: fail(/\/api\/mj\/?\?/),
  },
  { page: 'task', state: 'empty', path: '/task', at: 'empty', ...signedIn },
  { page: 'task', state: 'filled', path: '/task', at: 'empty', ...signedIn, prepare: hasTasks, isWalked: true },
  { page: 'task', state: 'detail', path: '/task', at: 'empty', ...signedIn, prepare: hasTasks, act: openDialog(0) },
  { page: 'task', state: 'loading', path: '/task', at: 'empty', ...signedIn, prepare: holdBack(/\/api\/task\/?\?/) },
  {
    page: 'task',
    state: 'failed',
    path: '/task',
    at: 'empty',
    ...signedIn,
    isNoisy: true,
    prepare: fail(/\/api\/task\/?\?/),
  },
]
