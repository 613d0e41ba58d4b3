/** A sum over the last while: what is added falls out again one window later. Times are monotonic milliseconds. */
export interface SlidingSum {
  add(now: number, amount: number, windowMs: number): void
  /** What the last `windowMs` add up to. */
  within(now: number, windowMs: number): number
  /** Milliseconds until the sum is less than `limit`, provided that nothing is added; 0 where it is already. */
  wait(now: number, windowMs: number, limit: number): number
}

/** What came within one of these parts of a window falls out together with the last of it, which bounds the memory. */
const PARTS = 120

/** Amounts that came closely together: since when, the last of them, and their sum. */
type Part = { since: number; last: number; amount: number }

/** An empty sum; its window may change between calls. Some 120 parts are kept, however much is added. */
export function slidingSum(): SlidingSum {
  let parts: Part[] = []
  let sum = 0
  const drop = (now: number, windowMs: number) => {
    let over = 0
    for (const part of parts) {
      if (now - part.last < windowMs) break
      sum -= part.amount
      over += 1
    }
    if (over > 0) parts = parts.slice(over)
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
