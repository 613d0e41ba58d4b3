import type { Page } from '@playwright/test'
import { fail, holdBack } from '../screen-acts.ts'
import { beAlone, beSomeone } from '../stub-personal.ts'
import { type Screen, signedIn } from './screen.ts'

const self = /\/api\/user\/self$/
const here = { page: 'personal', path: '/personal', at: 'busy', isLoadedAnew: true, ...signedIn } as const

/** Presses a button of a section, which opens a dialog. */
const press = (section: string, place: number) => async (page: Page) => {
  await page.locator(section).getByRole('button').nth(place).click()
  await page.locator('.bp6-dialog').waitFor()
}

const acts = '.personal-acts'

/** The personal settings, in their states. */
export const personalScreens: readonly Screen[] = [
  { ...here, state: 'root' },
  { ...here, state: 'someone', prepare: beSomeone },
  { ...here, state: 'alone', prepare: beAlone },
  { ...here, state: 'loading', prepare: holdBack(self) },
  { ...here, state: 'failed', isNoisy: true, prepare: fail(self) },
  {
    ...here,
    state: 'webhook',
    prepare: beSomeone,
    act: async (page) => {
      await page.locator('.personal-fold').click()
      await page.locator('.personal-help summary').click()
      await page.locator('.personal-tabs input[type=url]').fill('')
      await page.locator('.personal-foot [type=submit]').click()
      await page.locator('.personal-tabs [aria-invalid=true]').waitFor()
    },
  },
  {
    ...here,
    state: 'price',
    prepare: beSomeone,
    act: async (page) => {
      await page.locator('.personal-tabs [data-tab-id=price]').click()
      await page.locator('.personal-flag').evaluate((flag) => flag.scrollIntoView({ block: 'center' }))
    },
  },
  { ...here, state: 'email', prepare: beSomeone, act: press('.personal-rows', 0) },
  { ...here, state: 'transfer', prepare: beSomeone, act: press('.personal-transfer', 0) },
  {
    ...here,
    state: 'access-token',
    prepare: beSomeone,
    act: async (page) => {
      await press(acts, 0)(page)
      await page.locator('.bp6-dialog .bp6-intent-danger').click()
      await page.locator('.bp6-dialog .personal-code').waitFor()
    },
  },
  {
    ...here,
    state: 'password',
    prepare: beSomeone,
    act: async (page) => {
      await press(acts, 1)(page)
      await page.locator('.bp6-dialog [type=submit]').click()
      await page.locator('.bp6-dialog [aria-invalid=true]').first().waitFor()
    },
  },
  {
    ...here,
    state: 'delete',
    prepare: beSomeone,
    act: async (page) => {
      await press(acts, 2)(page)
      await page.locator('.bp6-dialog [type=submit]').click()
      await page.locator('.bp6-dialog [aria-invalid=true]').waitFor()
    },
  },
]
