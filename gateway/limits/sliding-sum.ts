/** A sum over a sliding window: an amount drops out one window after it was added. Times are monotonic milliseconds. */
export interface SlidingSum {
  add(now: number, amount: number, windowMs: number): void
  within(now: number, windowMs: number): number
  /** Milliseconds until the sum is below `limit`, provided that nothing is added; 0 if it already is. */
  wait(now: number, windowMs: number, limit: number): number
}

/** Parts of a window. Amounts within one part drop out together with the latest of them, which bounds the memory. */
const PARTS = 120

/** Amounts added within one part: the times of the first and the last, and their sum. */
type Part = { since: number; last: number; amount: number }

/**
 * Creates an empty sum; its window may change between calls. Holds about 120 parts, regardless of how much is added.
 */
export function slidingSum(): SlidingSum {
  let parts: Part[] = []
  let sum = 0
  const drop = (now: number, windowMs: number) => {
    let expired = 0
    for (const part of parts) {
      if (now - part.last < windowMs) break
      sum -= part.amount
      expired += 1
    }
    if (expired > 0) parts = parts.slice(expired)
  }
  return {
    add(now, amount, windowMs) {
      drop(now, windowMs)
      sum += amount
      const newest = parts.at(-1)
      if (newest && now - newest.since < windowMs / PARTS) {
        newest.last = now
        newest.amount += amount
      } else parts.push({ since: now, last: now, amount })
    },
    within(now, windowMs) {
      drop(now, windowMs)
      return sum
    },
    wait(now, windowMs, limit) {
      drop(now, windowMs)
      let left = sum
      let waitMs = 0
      for (const { last, amount } of parts) {
        if (left < limit) break
        left -= amount
        waitMs = last + windowMs - now
      }
      return waitMs
    },
  }
}
