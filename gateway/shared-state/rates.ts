import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

type RateTerms = Readonly<{
  /** Identifies the limit; the same on every node. */
  name: string
  /** Max calls per window; 0 means unlimited. */
  limit: number
  windowSeconds: number
}>

/** Counts calls by key within a sliding window (docs/reference/limits.md#console-rates). */
export interface RateWindow {
  /**
   * Counts a call and returns 0, or returns the whole seconds to wait if the call exceeds the limit, without counting
   * it.
   */
  take(key: string): MaybePromise<number>
  clear(key: string): MaybePromise<void>
}

/**
 * Rate limits. Several nodes count together on one clock. While they cannot reach each other, each counts alone with
 * its share of the limit, at least one call. A check never fails and never takes long.
 */
export interface Rates {
  window(terms: RateTerms): RateWindow
}

export const ownRates = (clock: Clock): Rates => ({ window: (terms) => slidingLog({ ...terms, clock }) })

/**
 * Rates of nodes that do not count together: each allows its share of every limit, at least one call. `nodes` returns
 * the number of living nodes; if it changes, the newest calls stay counted, up to the new share.
 */
export const dividedRates = (clock: Clock, nodes: () => number): Rates => ({
  window: (terms) => slidingLog({ ...terms, clock, nodes }),
})

type SlidingLogTerms = Readonly<{
  limit: number
  windowSeconds: number
  clock: Clock
  /** Max keys stored; the least recently used is evicted first. */
  max?: number
  /** The number of nodes that share the limit; 1 by default. */
  nodes?: () => number
}>

/** The part of a limit that one of several nodes allows, at least 1; 0 is unlimited. */
export const shareOfNode = (limit: number, nodes: number): number =>
  limit === 0 ? 0 : Math.max(1, Math.floor(limit / Math.max(1, nodes)))

/** Times of a key's last calls, a ring buffer once it is full; `oldest` is the index of the earliest. */
type Entry = { times: number[]; oldest: number }

/** A call passes if fewer than `limit` calls are logged, or the oldest one is outside the window. */
export function slidingLog({ limit, windowSeconds, clock, max = 10_000, nodes = () => 1 }: SlidingLogTerms) {
  const windowMs = windowSeconds * 1000
  const entries = new LRUCache<string, Entry>({ ...upTo(max), ...lruLife(windowMs, () => clock.monotonic()) })
  return {
    take(key: string): number {
      if (limit === 0) return 0
      const entry = entries.get(key) ?? { times: [], oldest: 0 }
      const share = shareOfNode(limit, nodes())
      resize(entry, share)
      const wait = count(entry, clock.monotonic(), share, windowMs)
      // Storing the entry again resets its TTL.
      if (wait === 0) entries.set(key, entry)
      return Math.ceil(wait / 1000)
    },
    clear: (key: string) => void entries.delete(key),
  }
}

/**
 * Adapts an entry to another limit: retains its newest calls, in order. A full ring, or one that is in order, stays
 * unchanged.
 */
function resize(entry: Entry, limit: number): void {
  const { times, oldest } = entry
  if (times.length === limit || (times.length < limit && oldest === 0)) return
  entry.times = [...times.slice(oldest), ...times.slice(0, oldest)].slice(-limit)
  entry.oldest = 0
}

/** Logs `now` and returns 0 if the limit allows it, otherwise returns the milliseconds until it would. */
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
