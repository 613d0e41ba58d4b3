import { type MaybePromise, whenKnown } from '../base/maybe-promise.ts'
import type { Rates } from '../shared-state/rates.ts'
import { networkOf } from './client-address.ts'

type HttpRateTerms = Readonly<{
  /** GLOBAL_API_RATE_LIMIT: calls per session, or per network without one, in 180 s. */
  api: number
  /** GLOBAL_WEB_RATE_LIMIT: console pages per network in 180 s. */
  web: number
  /** CRITICAL_RATE_LIMIT: calls per network in 1200 s, for each family of critical routes. */
  critical: number
  rates: Rates
}>

/** The limit of wrong setup codes over all networks, as a multiple of the limit of one network. */
const NETWORKS_AT_ONCE = 10

/**
 * Counts wrong codes of the first setup: `limit` per network and ten times that over all networks, in 1200 s; 0 is no
 * limit. Returns 0 or the seconds to wait.
 */
function createWrongCodes(limit: number, rates: Rates): (ip: string) => MaybePromise<number> {
  const windowSeconds = CRITICAL_WINDOW
  const ofNetwork = rates.window({ name: 'setup code', limit, windowSeconds })
  const ofAll = rates.window({ name: 'setup code of all', limit: limit * NETWORKS_AT_ONCE, windowSeconds })
  return (ip) => whenKnown(ofNetwork.take(networkOf(ip)), (wait) => wait || ofAll.take(''))
}

/** The rate windows of logins and setup; `limit` is the limit of critical calls. */
export const createEntranceRates = (limit: number, rates: Rates) => ({
  /** Passwords, on login and when logged in: ten per account in 15 minutes. */
  attempts: rates.window({ name: 'sign-in', limit: 10, windowSeconds: 900 }),
  codeAttempts: rates.window({ name: 'second factor', limit: 10, windowSeconds: 900 }),
  /** Polls of the desktop window for a login in the browser: 240 in ten minutes. */
  handoverRequests: rates.window({ name: 'hand-over', limit: 240, windowSeconds: 600 }),
  wrongCodes: createWrongCodes(limit, rates),
})

export const createWalletRates = (rates: Rates) => ({
  wrongKeys: rates.window({ name: 'redemption key', limit: 20, windowSeconds: 3600 }),
})

type RateOrigin = Readonly<{ network: string }>
type RateSession = Readonly<{ id: string; userId: number }>

/** The limits on HTTP calls; each method returns 0 or the seconds to wait. */
export interface HttpRates {
  /**
   * Counts every call: by session if the call has a valid one, so that a team behind one address is not one caller.
   * Polls by open pages may use only a third of the limit, so that the rest is left for users' actions.
   */
  api(
    origin: RateOrigin,
    call?: Readonly<{ isPoll?: boolean; session?: RateSession | undefined }>,
  ): MaybePromise<number>
  /** Counts a call that an account makes by access token; its calls by session count here too. */
  account(userId: number): MaybePromise<number>
  web(origin: RateOrigin): MaybePromise<number>
  /**
   * One bucket per network and family, so that one family cannot exhaust another's limit
   * (docs/reference/limits.md#console-rates).
   */
  critical(family: string, origin: RateOrigin): MaybePromise<number>
  /** 20 calls in 20 minutes per user and route, from any address (docs/reference/limits.md#console-rates). */
  user(userId: number, route: string): MaybePromise<number>
}

const GLOBAL_WINDOW = 180
/** The limit of an account over all its sessions and networks, as a multiple of the limit of one of them. */
const SESSIONS_AT_ONCE = 10
/** The share of all calls that polls may use. */
const POLLS = 1 / 3
const CRITICAL_WINDOW = 1200
const PER_USER = 20

/**
 * The rate classes of docs/reference/limits.md#console-rates. Loopback has no special allowance: behind a local proxy
 * every client has its address. A single-user desktop sets higher limits.
 */
export function createHttpRates({ api, web, critical, rates }: HttpRateTerms): HttpRates {
  const calls = rates.window({ name: 'api', limit: api, windowSeconds: GLOBAL_WINDOW })
  const polls = rates.window({ name: 'api polls', limit: Math.ceil(api * POLLS), windowSeconds: GLOBAL_WINDOW })
  const accounts = rates.window({ name: 'api of account', limit: api * SESSIONS_AT_ONCE, windowSeconds: GLOBAL_WINDOW })
  const files = rates.window({ name: 'web', limit: web, windowSeconds: GLOBAL_WINDOW })
  const families = rates.window({ name: 'critical', limit: critical, windowSeconds: CRITICAL_WINDOW })
  const users = rates.window({ name: 'user', limit: PER_USER, windowSeconds: CRITICAL_WINDOW })
  const account = (userId: number) => accounts.take(String(userId))
  return {
    api({ network }, { isPoll = false, session } = {}) {
      const key = session ? `session ${session.id}` : network
      const ofKey = () => (isPoll ? whenKnown(polls.take(key), (wait) => wait || calls.take(key)) : calls.take(key))
      if (!session) return ofKey()
      return whenKnown(ofKey(), (wait) => wait || account(session.userId))
    },
    account,
    web: ({ network }) => files.take(network),
    critical: (family, { network }) => families.take(`${family} ${network}`),
    user: (userId, route) => users.take(`${userId} ${route}`),
  }
}
