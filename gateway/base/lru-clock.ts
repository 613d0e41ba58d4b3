/** What lru-cache needs to measure ages by the gateway's own clock, which tests move; `monotonic` gives milliseconds. */
export const lruClock = (monotonic: () => number) => ({
  // A start of 0 means to the library that an entry has no age.
  perf: { now: () => monotonic() + 1 },
  ttlResolution: 0,
})

/** The same for entries that are believed for less than `ttlMs`, whole milliseconds of it. */
export const lruLife = (ttlMs: number, monotonic: () => number) => ({ ttl: ttlMs - 1, ...lruClock(monotonic) })
