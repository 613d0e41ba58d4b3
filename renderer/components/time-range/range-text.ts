import { formatTime } from '../date-time.ts'

/**
 * Formats a range to the minute in local time, such as `11-21 00:00 – 13:30`: a shared day once, the year only if not
 * the current one, `…` for an open end. Times are unix seconds.
 */
export function rangeText(start: number | undefined, end: number | undefined, now: Date = new Date()): string {
  const year = String(now.getFullYear())
  const first = partsOf(start, year)
  const last = partsOf(end, year)
  const from = first ? `${first.day} ${first.clock}` : '…'
  if (!last) return `${from} – …`
  return last.day === first?.day ? `${from} – ${last.clock}` : `${from} – ${last.day} ${last.clock}`
}

/** The day, without the year if it is `year`, and the time to the minute. */
function partsOf(seconds: number | undefined, year: string): Readonly<{ day: string; clock: string }> | undefined {
  if (seconds === undefined) return undefined
  const [date = '', time = ''] = formatTime(seconds).split(' ')
  return { day: date.replace(`${year}-`, ''), clock: time.slice(0, 'HH:mm'.length) }
}
