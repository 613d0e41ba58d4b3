/** Converts unix seconds to a date, clamped to the last possible one. */
export const dateAt = (seconds: number): Date => new Date(Math.min(seconds, LAST_S) * 1000)

/** One day before the maximum date, so that it is valid in every time zone. */
const LAST_S = 8_640_000_000_000 - 86_400

/** Formats unix seconds as `YYYY-MM-DD HH:mm:ss` in local time (docs/reference/screens.md#formats-and-colors). */
export function formatTime(seconds: number): string {
  const time = dateAt(seconds)
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${date} ${formatClock(seconds)}`
}

function formatClock(seconds: number): string {
  const time = dateAt(seconds)
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')
}

/**
 * Formats unix seconds as `formatTime` does, but without the year if it is the current one, else without the seconds.
 */
export function formatShortTime(seconds: number, now: Date = new Date()): string {
  const full = formatTime(seconds)
  const isThisYear = dateAt(seconds).getFullYear() === now.getFullYear()
  return isThisYear ? full.slice(full.indexOf('-') + 1) : full.slice(0, full.lastIndexOf(':'))
}

/** Parses the format of `formatTime`, seconds and time optional, to unix seconds; undefined if invalid. */
export function parseTime(text: string): number | undefined {
  const parts = /^(\d{4,6})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text.trim())
  if (!parts) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  const time = new Date(year, month - 1, day, hour, minute, second)
  const isReal = time.getMonth() === month - 1 && time.getDate() === day && hour < 24 && minute < 60 && second < 60
  return isReal ? Math.floor(time.getTime() / 1000) : undefined
}

/** Represents a partly typed time. */
export const UNREADABLE = '—'

const two = (part: number): string => String(part).padStart(2, '0')
