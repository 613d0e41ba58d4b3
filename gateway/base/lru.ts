/**
 * How many entries a cache of lru-cache may have. Its own `max` makes all places at once, some ten milliseconds and megabytes
 * for the caches of a gateway; bounded by their size, which is one each, they take the places that are used.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: one })

const one = (): number => 1

/** What lru-cache needs to measure ages by the gateway's own clock, which tests move; `monotonic` gives milliseconds. */
export const lruClock = (monotonic: () => number) => ({
  // A start of 0 means to the library that an entry has no age.
  perf: { now: () => monotonic() + 1 },
  ttlResolution: 0,
})

/** An LRU cache's clock for entries that are believed for less than `ttlMs`, whole milliseconds of it. */
export const lruLife = (ttlMs: number, monotonic: () => number) => ({ ttl: ttlMs - 1, ...lruClock(monotonic) })
