import type { Page } from '@playwright/test'
import { havePasskeys } from '../passkey-acts.ts'
import { seeTelegram, withProviders } from '../provider-acts.ts'
import { fail, holdBack } from '../screen-acts.ts'
import { beAlone, beSafe, beSomeone, unsafe } from '../stub-personal.ts'
import { type Screen, signedIn } from './screen.ts'

const self = /\/api\/user\/self$/
const here = { page: 'personal', path: '/personal', at: 'busy', isLoadedAnew: true, ...signedIn } as const

/** Presses a button of a section that opens a dialog. */
const press = (section: string, place: number) => async (page: Page) => {
  await page.locator(section).getByRole('button').nth(place).click()
  await page.locator('.bp6-dialog').waitFor()
}

/** Presses a button of a linked account, and waits for what it opens. */
const pressLinked = (opened: string, place: number) => async (page: Page) => {
  await page.locator('.personal-rows').getByRole('button').nth(place).click()
  await page.locator(opened).waitFor()
}

/** Enables all login providers. */
async function canBind(page: Page): Promise<void> {
  await beSomeone(page)
  await withProviders(page)
}

const acts = '.personal-acts'

/** The console under a host name, for a user with passkeys. */
const named = { ...here, at: 'namedBusy' } as const
const beKeyed = async (page: Page) => {
  await beSomeone(page)
  await havePasskeys(page)
}

/** Gives the user two factors and only a few remaining recovery codes. */
const beSecured = async (page: Page) => {
  await beSomeone(page)
  await beSafe({ ...unsafe, enabled: true, backup_codes_remaining: 2 })(page)
}

/** Requires the user to set up a second factor first. */
const mustHaveFactors = async (page: Page) => {
  await beSomeone(page)
  await beSafe({ ...unsafe, required: true, missing: true })(page)
}

/** Sends the code for a dialog. */
const sendCode = async (page: Page) => {
  await page.locator('.bp6-dialog [name=code]').fill('123456')
  await page.locator('.bp6-dialog [type=submit]').click()
}

const showList = (list: string) => (page: Page) =>
  page.locator(list).evaluate((found) => found.scrollIntoView({ block: 'center' }))
const showPlaces = showList('.security-places:not(.security-passkeys)')

/** Proceeds to the secret for an authenticator app. */
const seeSecret = async (page: Page) => {
  await press(acts, 3)(page)
  await page.locator('.bp6-dialog [name=password]').fill('a-long-password')
  await page.locator('.bp6-dialog [type=submit]').click()
  await page.locator('.qr-code').waitFor()
}

export const personalScreens: readonly Screen[] = [
  { ...here, state: 'root' },
  { ...here, state: 'someone', prepare: beSomeone, isWalked: true },
  { ...here, state: 'alone', prepare: beAlone },
  { ...here, state: 'must', prepare: mustHaveFactors, isLoadedAnew: true },
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
    state: 'notice-code',
    prepare: beSomeone,
    act: async (page) => {
      await page.locator('.personal-tabs label:has([value=email])').click()
      await page.locator('.personal-tabs [type=email]').fill('team@example.com')
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
  { ...here, state: 'unbind', prepare: beSomeone, act: pressLinked('.confirm', 1) },
  { ...here, state: 'bind-wechat', prepare: canBind, act: pressLinked('.wechat-dialog img', 4) },
  {
    ...here,
    state: 'bind-telegram',
    prepare: canBind,
    act: async (page) => {
      await pressLinked('.telegram-field', 5)(page)
      await seeTelegram(page)
    },
  },
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
      await press(acts, 4)(page)
      await page.locator('.bp6-dialog [type=submit]').click()
      await page.locator('.bp6-dialog [aria-invalid=true]').waitFor()
    },
  },
  { ...here, state: 'secured', prepare: beSecured, act: showPlaces, isWalked: true },
  {
    ...here,
    state: 'alone-unfolded',
    prepare: async (page) => {
      await beSecured(page)
      await beAlone(page)
    },
    act: async (page) => {
      await page.locator('.personal-acts > details summary').click()
      await showPlaces(page)
    },
  },
  { ...here, state: 'factors-password', prepare: beSomeone, act: press(acts, 3) },
  { ...here, state: 'factors-secret', prepare: beSomeone, act: seeSecret },
  {
    ...here,
    state: 'factors-codes',
    prepare: beSomeone,
    act: async (page) => {
      await seeSecret(page)
      await sendCode(page)
      await page.locator('.security-codes').waitFor()
    },
  },
  { ...named, state: 'passkeys', prepare: beKeyed, act: showList('.security-passkeys') },
  { ...named, state: 'passkey-add', prepare: beSomeone, act: press(acts, 2) },
  {
    ...named,
    state: 'passkey-rename',
    prepare: beKeyed,
    act: async (page) => {
      await page.locator('.security-passkeys button').first().click()
      await page.locator('.bp6-dialog').waitFor()
    },
  },
  {
    ...named,
    state: 'passkey-remove',
    prepare: beKeyed,
    act: async (page) => {
      await page.locator('.security-passkeys button').nth(1).click()
      await page.locator('.bp6-dialog').waitFor()
    },
  },
  { ...here, state: 'factors-off', prepare: beSecured, act: press(acts, 4) },
  {
    ...here,
    state: 'session-end',
    prepare: beSecured,
    act: async (page) => {
      await page.locator('.security-place button').first().click()
      await page.locator('.bp6-dialog').waitFor()
    },
  },
  { ...here, state: 'history', prepare: beSecured, act: press('.security-places + .security-buttons', -1) },
]
