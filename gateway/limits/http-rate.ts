import { type MaybePromise, whenKnown } from '../base/maybe-promise.ts'
import type { Rates } from '../shared-state/rates.ts'
import { networkOf } from './client-address.ts'

type HttpRateTerms = Readonly<{
  /** GLOBAL_API_RATE_LIMIT: calls of one network in 180 s. */
  api: number
  /** GLOBAL_WEB_RATE_LIMIT: pages of the console in 180 s. */
  web: number
  /** CRITICAL_RATE_LIMIT: calls in 1200 s for each family of critical routes. */
  critical: number
  rates: Rates
}>

/** How many wrong setup codes all networks together may show in the time of one. */
const NETWORKS_AT_ONCE = 10

/**
 * Counts wrong codes of the first setup, `limit` for a network and ten times that for all of them in 1200 s; 0 is no
 * limit. Answers 0 or the seconds to wait.
 */
function createWrongCodes(limit: number, rates: Rates): (ip: string) => MaybePromise<number> {
  const windowSeconds = CRITICAL_WINDOW
  const own = rates.window({ name: 'setup code', limit, windowSeconds })
  const all = rates.window({ name: 'setup code of all', limit: limit * NETWORKS_AT_ONCE, windowSeconds })
  return (ip) => whenKnown(own.take(networkOf(ip)), (wait) => wait || all.take(''))
}

/** What is counted of those who want to come in; `limit` is that of critical calls. */
export const createEntranceRates = (limit: number, rates: Rates) => ({
  /** Passwords, to sign in and of who is signed in, ten of one account in a quarter of an hour. */
  attempts: rates.window({ name: 'sign-in', limit: 10, windowSeconds: 900 }),
  /** Codes of apps for a second factor, ten of one account in a quarter of an hour. */
  codeAttempts: rates.window({ name: 'second factor', limit: 10, windowSeconds: 900 }),
  /** How often the desktop's window asks whether somebody has logged in with the browser, 240 times in ten minutes. */
  handoverAsks: rates.window({ name: 'hand-over', limit: 240, windowSeconds: 600 }),
  wrongCodes: createWrongCodes(limit, rates),
})

/** What is counted of those who redeem codes: keys that are none, twenty of one account in an hour. */
export const createWalletRates = (rates: Rates) => ({
  wrongKeys: rates.window({ name: 'redemption key', limit: 20, windowSeconds: 3600 }),
})

/** Where a call comes from, as limits see it. */
type RateOrigin = Readonly<{ network: string }>

/** The limits on HTTP calls; each answers 0 or the seconds to wait. */
export interface HttpRates {
  /**
   * Every call counts here; what an open page asks for by itself has a third of it, so that the rest is left for what people do.
   */
  api(origin: RateOrigin, isPoll?: boolean): MaybePromise<number>
  web(origin: RateOrigin): MaybePromise<number>
  /**
   * One bucket per network and family, so that one family cannot lock another out
   * (docs/reference/limits.md#console-rates).
   */
  critical(family: string, origin: RateOrigin): MaybePromise<number>
  /** 20 in 20 minutes for one user and route, wherever the user is (docs/reference/limits.md#console-rates). */
  user(userId: number, route: string): MaybePromise<number>
}

const GLOBAL_WINDOW = 180
/** The part of all calls that pages may make by themselves. */
const POLLS = 1 / 3
const CRITICAL_WINDOW = 1200
const PER_USER = 20

/**
 * Builds the rate classes (docs/reference/limits.md#console-rates). This machine has no allowance of its own: behind a
 * proxy on it every stranger has its address. A desktop, which one person uses, is given more by its shell.
 */
export function createHttpRates({ api, web, critical, rates }: HttpRateTerms): HttpRates {
  const calls = rates.window({ name: 'api', limit: api, windowSeconds: GLOBAL_WINDOW })
  const polls = rates.window({ name: 'api polls', limit: Math.ceil(api * POLLS), windowSeconds: GLOBAL_WINDOW })
  const files = rates.window({ name: 'web', limit: web, windowSeconds: GLOBAL_WINDOW })
  const families = rates.window({ name: 'critical', limit: critical, windowSeconds: CRITICAL_WINDOW })
  const users = rates.window({ name: 'user', limit: PER_USER, windowSeconds: CRITICAL_WINDOW })
  return {
    api: ({ network }, isPoll = false) =>
      isPoll ? whenKnown(polls.take(network), (wait) => wait || calls.take(network)) : calls.take(network),
    web: ({ network }) => files.take(network),
    critical: (family, { network }) => families.take(`${family} ${network}`),
    user: (userId, route) => users.take(`${userId} ${route}`),
  }
}
