/**
 * Limits the number of entries of an lru-cache. Its `max` option allocates all slots at once, some ten milliseconds and
 * megabytes for the caches of a gateway; with a size of one per entry, only used slots are allocated.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: one })

const one = (): number => 1

/**
 * Options that make lru-cache measure ages on the gateway's clock, which tests can set; `monotonic` returns
 * milliseconds.
 */
export const lruClock = (monotonic: () => number) => ({
  // lru-cache treats a start time of 0 as an entry without age.
  perf: { now: () => monotonic() + 1 },
  ttlResolution: 0,
})

/** Options for entries that expire after `ttlMs` (whole milliseconds). */
export const lruLife = (ttlMs: number, monotonic: () => number) => ({ ttl: ttlMs - 1, ...lruClock(monotonic) })
