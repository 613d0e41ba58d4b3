import type { Clock } from './clock.ts'

/** Lines of one message that are written in a minute; what a caller can cause at will cannot fill a disk. */
export const MAX_LINES_PER_MINUTE = 300
const MINUTE_MS = 60_000

/**
 * Counts lines by their message, which is constant text of the program. `admit` says whether a line is written and, in the
 * first line of a new minute, how many of its message were left out in the one before.
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
