/** The time source. Wall time stamps rows; monotonic time measures delays and windows. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Monotonic milliseconds; only differences are meaningful. */
  monotonic(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

/** Wall time in whole unix seconds. */
export const unixSeconds = (clock: Clock): number => Math.floor(clock.now() / 1000)
