import { formatTime } from '../moment.ts'

/**
 * A range to the minute where the person is, such as `11-21 00:00 – 13:30`: the day once where both ends share it, the year
 * where it is not this one, `…` for an open end. Times are unix seconds.
 */
export function rangeText(start: number | undefined, end: number | undefined, now: Date = new Date()): string {
  const year = String(now.getFullYear())
  const first = partsOf(start, year)
  const last = partsOf(end, year)
  const from = first ? `${first.day} ${first.clock}` : '…'
  if (!last) return `${from} – …`
  return last.day === first?.day ? `${from} – ${last.clock}` : `${from} – ${last.day} ${last.clock}`
}

/** The day, without the year where that is `year`, and the time of day to the minute. */
function partsOf(seconds: number | undefined, year: string): Readonly<{ day: string; clock: string }> | undefined {
  if (seconds === undefined) return undefined
  const [date = '', time = ''] = formatTime(seconds).split(' ')
  return { day: date.replace(`${year}-`, ''), clock: time.slice(0, 'HH:mm'.length) }
}
