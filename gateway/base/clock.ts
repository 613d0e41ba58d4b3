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
