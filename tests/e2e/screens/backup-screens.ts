import type { Page } from '@playwright/test'
import { fail } from '../screen-acts.ts'
import { backups, decided, noBackups, unreadable } from '../stub-backups.ts'
import { jobs } from '../stub-jobs.ts'
import { nodes } from '../stub-nodes.ts'
import { tells } from '../stub-routing.ts'
import { type Screen, signedIn } from './screen.ts'

const address = /\/api\/backup$/
/** Scrolls to the backups, whose code is loaded after the page. */
const act = (page: Page) => page.locator('.backups-head').scrollIntoViewIfNeeded()
const base = { page: 'jobs', path: '/jobs', at: 'busy', ...signedIn, act } as const

/** Stubs only a few jobs, so that the backups below them are on the screen. */
const prepared = (more: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await tells(/\/api\/job$/, jobs.slice(0, 1))(page)
  await more(page)
}
/** The backups on the page of background jobs, in their states; and the nodes, which are there on PostgreSQL. */
export const backupScreens: readonly Screen[] = [
  { ...base, state: 'backups', prepare: prepared(tells(address, backups)) },
  { ...base, state: 'backups-decided', prepare: prepared(tells(address, decided)) },
  { ...base, state: 'backups-unreadable', prepare: prepared(tells(address, unreadable)) },
  { ...base, state: 'backups-none', prepare: prepared(tells(address, noBackups)) },
  { ...base, state: 'backups-error', isNoisy: true, prepare: prepared(fail(address)) },
  {
    ...base,
    state: 'nodes',
    prepare: prepared(tells(/\/api\/node$/, nodes)),
    act: (page) => page.locator('.nodes').scrollIntoViewIfNeeded(),
  },
  {
    ...base,
    state: 'nodes-fence',
    prepare: prepared(tells(/\/api\/node$/, nodes)),
    act: async (page) => {
      await page.locator('.nodes-item .bp6-button').nth(3).click()
      await page.locator('.bp6-dialog').waitFor()
    },
  },
  {
    ...base,
    state: 'backups-key',
    prepare: prepared(tells(address, backups)),
    act: async (page) => {
      await page.locator('.backups-head .bp6-button').first().click()
      await page.locator('.bp6-dialog').waitFor()
    },
  },
  {
    ...base,
    state: 'backups-restore',
    prepare: prepared(tells(address, backups)),
    act: async (page) => {
      await page.locator('.backups-item .bp6-button').first().click()
      await page.locator('.bp6-dialog').waitFor()
    },
  },
]
