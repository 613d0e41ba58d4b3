import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

type RateTerms = Readonly<{
  /** Tells this limit from all others, the same on every node. */
  name: string
  /** Calls in a window; 0 is no limit. */
  limit: number
  windowSeconds: number
}>

/** Calls counted by key within a sliding window (docs/reference/limits.md#console-rates). */
export interface RateWindow {
  /** Counts a call; answers 0, or the whole seconds to wait when it is one too many and was not counted. */
  take(key: string): MaybePromise<number>
  /** Forgets a key. */
  clear(key: string): MaybePromise<void>
}

/**
 * Limits of calls. Several nodes count together by one clock, and each by itself, with its share of the limit and never
 * less than one call, while they cannot hear of each other; asking never fails, and never takes long.
 */
export interface Rates {
  window(terms: RateTerms): RateWindow
}

/** Counts in this process, on the monotonic clock. */
export const ownRates = (clock: Clock): Rates => ({ window: (terms) => slidingLog({ ...terms, clock }) })

type SlidingLogTerms = Readonly<{
  limit: number
  windowSeconds: number
  clock: Clock
  /** Keys remembered at once; the one unused for longest goes first. */
  max?: number
}>

/** The last calls of one key, in a ring once it is full; `oldest` is the index of the earliest. */
type Entry = { times: number[]; oldest: number }

/**
 * Builds a limit: fewer than `limit` in the log, or the oldest older than the window, and the call passes.
 */
export function slidingLog({ limit, windowSeconds, clock, max = 10_000 }: SlidingLogTerms) {
  const windowMs = windowSeconds * 1000
  const entries = new LRUCache<string, Entry>({ ...upTo(max), ...lruLife(windowMs, () => clock.monotonic()) })
  return {
    take(key: string): number {
      if (limit === 0) return 0
      const entry = entries.get(key) ?? { times: [], oldest: 0 }
      const wait = count(entry, clock.monotonic(), limit, windowMs)
      // Its time to live begins again with every call that counts.
      if (wait === 0) entries.set(key, entry)
      return Math.ceil(wait / 1000)
    },
    clear: (key: string) => void entries.delete(key),
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
