/** Where time comes from. Wall time stamps rows; monotonic time measures waits and windows. */
export interface Clock {
  /** Wall clock in milliseconds since 1970. */
  now(): number
  /** Monotonic milliseconds; only differences mean anything. */
  monotonic(): number
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

/** Wall time in whole unix seconds, the unit of every `*_time` and `*_at` column. */
export const unixSeconds = (clock: Clock): number => Math.floor(clock.now() / 1000)

/** What lru-cache needs to measure ages by the gateway's own clock, which tests move; `monotonic` gives milliseconds. */
export const lruClock = (monotonic: () => number) => ({
  // A start of 0 means to the library that an entry has no age.
  perf: { now: () => monotonic() + 1 },
  ttlResolution: 0,
})

/** An LRU cache's clock for entries that are believed for less than `ttlMs`, whole milliseconds of it. */
export const lruLife = (ttlMs: number, monotonic: () => number) => ({ ttl: ttlMs - 1, ...lruClock(monotonic) })
