import type { Clock } from '../../gateway/base/clock.ts'

/** A clock that a test moves by hand. */
export type MovableClock = Clock &
  Readonly<{
    advance(ms: number): void
    advanceSeconds(seconds: number): void
    /** Sets only the wall clock, forward or back (less than 0). */
    setSeconds(seconds: number): void
  }>

/** Starts at `startMs` and advances only when it is moved; without a start it follows the machine's clock. */
export function aClock(startMs?: number): MovableClock {
  let moved = 0
  let set = 0
  const wall = () => startMs ?? Date.now()
  const steady = () => (startMs === undefined ? performance.now() : 0)
  const advance = (ms: number) => {
    moved += ms
  }
  return {
    now: () => wall() + moved + set,
    monotonic: () => steady() + moved,
    advance,
    advanceSeconds: (seconds) => advance(seconds * 1000),
    setSeconds(seconds) {
      set += seconds * 1000
    },
  }
}
