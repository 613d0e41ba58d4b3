import type { Clock } from '../clock.ts'

/** Max lines per message and minute, so that a caller who provokes log lines cannot fill the disk. */
export const MAX_LINES_PER_MINUTE = 300
const MINUTE_MS = 60_000

/**
 * Counts lines by their message, a constant text. `admit` returns whether to write a line and, for the first line of a
 * new minute, how many lines of the message were left out before.
 */
export function createLineLimit(
  clock: Pick<Clock, 'monotonic'>,
  maxPerMinute = MAX_LINES_PER_MINUTE,
): {
  admit(message: string): Readonly<{ isWritten: boolean; leftOut: number }>
} {
  const minutes = new Map<string, { sinceMs: number; lines: number }>()
  return {
    admit(message) {
      const nowMs = clock.monotonic()
      const minute = minutes.get(message)
      if (minute && nowMs - minute.sinceMs < MINUTE_MS) {
        minute.lines += 1
        return { isWritten: minute.lines <= maxPerMinute, leftOut: 0 }
      }
      minutes.set(message, { sinceMs: nowMs, lines: 1 })
      return { isWritten: true, leftOut: Math.max((minute?.lines ?? 0) - maxPerMinute, 0) }
    },
  }
}
