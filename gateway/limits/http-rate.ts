import { LRUCache } from 'lru-cache'
import { type Clock, lruLife } from '../base/clock.ts'
import { networkOf } from './client-address.ts'

export type RateTerms = Readonly<{
  /** Calls in a window; 0 is no limit. */
  limit: number
  windowSeconds: number
  clock: Clock
  /** Keys remembered at once; the one unused for longest goes first. */
  most?: number
}>

/** A sliding log of timestamps per key (docs/reference/limits.md#console-rates), on the monotonic clock. */
export interface SlidingLog {
  /** Counts a call; answers 0, or the whole seconds to wait when it is one too many and was not counted. */
  take(key: string): number
  /** Forgets a key. */
  clear(key: string): void
}

/** The last calls of one key, in a ring once it is full; `oldest` is the index of the earliest. */
type Entry = { times: number[]; oldest: number }

/** Builds a limit: fewer than `limit` in the log, or the oldest older than the window, and the call passes. */
export function slidingLog({ limit, windowSeconds, clock, most = 10_000 }: RateTerms): SlidingLog {
  const windowMs = windowSeconds * 1000
  const entries = new LRUCache<string, Entry>({ max: most, ...lruLife(windowMs, () => clock.monotonic()) })
  return {
    take(key) {
      if (limit === 0) return 0
      const entry = entries.get(key) ?? { times: [], oldest: 0 }
      const wait = count(entry, clock.monotonic(), limit, windowMs)
      // Its time to live begins anew with every call that counts.
      if (wait === 0) entries.set(key, entry)
      return Math.ceil(wait / 1000)
    },
    clear: (key) => void entries.delete(key),
  }
}

/** Adds `now` to the log where it fits and answers 0, else the milliseconds until it would. */
function count(entry: Entry, now: number, limit: number, windowMs: number): number {
  const { times, oldest } = entry
  if (times.length < limit) {
    times.push(now)
    return 0
  }
  const age = now - (times[oldest] ?? 0)
  if (age < windowMs) return windowMs - age
  times[oldest] = now
  entry.oldest = (oldest + 1) % limit
  return 0
}

export type HttpRateTerms = Readonly<{
  /** GLOBAL_API_RATE_LIMIT: calls of one network in 180 s. */
  api: number
  /** GLOBAL_WEB_RATE_LIMIT: files of the console in 180 s. */
  web: number
  /** CRITICAL_RATE_LIMIT: calls in 1200 s for each family of critical routes. */
  critical: number
  clock: Clock
}>

/** How many wrong setup codes all networks together may show in the time of one. */
const NETWORKS_AT_ONCE = 10

/**
 * Counts wrong codes of the first setup, `limit` for a network and ten times that for all of them in 1200 s; 0 is no
 * limit. Answers 0 or the seconds to wait.
 */
export function createWrongCodes(limit: number, clock: Clock): (ip: string) => number {
  const own = slidingLog({ limit, windowSeconds: CRITICAL_WINDOW, clock })
  const all = slidingLog({ limit: limit * NETWORKS_AT_ONCE, windowSeconds: CRITICAL_WINDOW, clock })
  return (ip) => own.take(networkOf(ip)) || all.take('')
}

/** Where a call comes from, as limits see it. */
export type RateOrigin = Readonly<{ network: string }>

/** The limits on HTTP calls; each answers 0 or the seconds to wait. */
export interface HttpRates {
  api(origin: RateOrigin): number
  web(origin: RateOrigin): number
  /**
   * One bucket per network and family, so that one family cannot lock another out
   * (docs/reference/limits.md#console-rates).
   */
  critical(family: string, origin: RateOrigin): number
  /** 20 in 20 minutes for one user and route, wherever the user is (docs/reference/limits.md#console-rates). */
  user(userId: number, route: string): number
}

const GLOBAL_WINDOW = 180
const CRITICAL_WINDOW = 1200
const PER_USER = 20

/**
 * Builds the rate classes (docs/reference/limits.md#console-rates). This machine has no allowance of its own: behind a
 * proxy on it every stranger has its address. A desktop, which one person uses, is given more by its shell.
 */
export function createHttpRates({ api, web, critical, clock }: HttpRateTerms): HttpRates {
  const calls = slidingLog({ limit: api, windowSeconds: GLOBAL_WINDOW, clock })
  const files = slidingLog({ limit: web, windowSeconds: GLOBAL_WINDOW, clock })
  const families = slidingLog({ limit: critical, windowSeconds: CRITICAL_WINDOW, clock })
  const users = slidingLog({ limit: PER_USER, windowSeconds: CRITICAL_WINDOW, clock })
  return {
    api: ({ network }) => calls.take(network),
    web: ({ network }) => files.take(network),
    critical: (family, { network }) => families.take(`${family} ${network}`),
    user: (userId, route) => users.take(`${userId} ${route}`),
  }
}
