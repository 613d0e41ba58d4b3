/** A moment in unix seconds as a date; one that is too far ahead for a date is the last that there is. */
export const dateAt = (seconds: number): Date => new Date(Math.min(seconds, LAST_S) * 1000)

/** A day before the end of all dates, so that every zone has it. */
const LAST_S = 8_640_000_000_000 - 86_400

/**
 * A time in unix seconds as `YYYY-MM-DD HH:mm:ss` where the person is (docs/reference/screens.md#formats-and-colours).
 */
export function formatTime(seconds: number): string {
  const time = dateAt(seconds)
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${date} ${formatClock(seconds)}`
}

/** Its time of day alone, as `HH:mm:ss`: for what has just happened. */
function formatClock(seconds: number): string {
  const time = dateAt(seconds)
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')
}

/** A moment without the year where that is this one, and for other years without the seconds. */
export function formatShortTime(seconds: number, now: Date = new Date()): string {
  const full = formatTime(seconds)
  const isThisYear = dateAt(seconds).getFullYear() === now.getFullYear()
  return isThisYear ? full.slice(full.indexOf('-') + 1) : full.slice(0, full.lastIndexOf(':'))
}

/** A time as part of a sentence: a line does not end at its hyphens. */
export const unbroken = (time: string): string => time.replaceAll('-', '-\u2060')

/** Unix seconds of a text as `formatTime` writes it, seconds and time optional; undefined when it is no such time. */
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

/** Stands for a time that has been typed in part. */
export const UNREADABLE = '—'

/** Two digits. */
const two = (part: number): string => String(part).padStart(2, '0')
