import type { Page } from '@playwright/test'
import { fail, holdBack, startMain } from '../screen-acts.ts'
import { channels, findings } from '../stub-local-models.ts'
import { tells } from '../stub-routing.ts'
import { type Screen, signedIn } from './screen.ts'

const list = /\/api\/local-models$/
const probe = /\/api\/local-models\/probe$/
const base = { page: 'local-models', path: '/channel/local', at: 'busy', ...signedIn } as const

const search = async (page: Page) => {
  await startMain(page)
  await page.locator('.local-models-names').first().waitFor()
  await page.locator('.local-models-names').first().scrollIntoViewIfNeeded()
}
const both = async (page: Page) => {
  await tells(list, [])(page)
  await tells(probe, findings)(page)
}

/**
 * The search for local models: before the first search, with results, and with channels whose programs have changed.
 */
export const localModelsScreens: readonly Screen[] = [
  { ...base, state: 'loading', prepare: holdBack(list) },
  { ...base, state: 'first', prepare: tells(list, []) },
  { ...base, state: 'found', prepare: both, act: search, isWalked: true },
  { ...base, state: 'channels', prepare: tells(list, channels) },
  { ...base, state: 'error', isNoisy: true, prepare: fail(list) },
]
