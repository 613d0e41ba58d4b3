import type { BudgetWindow } from '../../shared/budgets.ts'

/** A stretch of time in unix seconds; `end` is no part of it. */
export type Stretch = Readonly<{ start: number; end: number }>

/** The windows that the calendar knows; five hours begin with the first use. */
export type CalendarWindow = Exclude<BudgetWindow, 'five_hours'>

/** The clock and the calendar of one time zone. */
export interface Calendar {
  /** The minute, day, week (from Monday) or month that an instant lies in, whatever daylight saving time makes of it. */
  around(window: CalendarWindow, at: number): Stretch
  /** An instant as people there write it: `2026-11-21 00:00:00`. */
  write(at: number): string
}

const MINUTE = 60
const DAY = 86_400

/** The calendar of an IANA time zone; empty is UTC. Throws a RangeError for a name that is none. */
export function calendarOf(timeZone: string): Calendar {
  const parts = partsIn(timeZone || 'UTC')
  const offsetAt = (at: number): number => {
    const { year, month, day, hour, minute, second } = parts(at)
    return Date.UTC(year, month, day, hour, minute, second) / 1000 - at
  }
  /** The first instant of a date, which is not midnight where clocks go forward then. */
  const startOf = (year: number, month: number, day: number): number => {
    const asUtc = Date.UTC(year, month, day) / 1000
    const wanted = new Date(asUtc * 1000).getUTCDate()
    const both = [asUtc - offsetAt(asUtc - DAY), asUtc - offsetAt(asUtc + DAY)].sort((one, other) => one - other)
    return both.find((at) => parts(at).day === wanted) ?? asUtc - offsetAt(asUtc)
  }
  return {
    around(window, at) {
      if (window === 'minute') {
        const start = Math.floor(at / MINUTE) * MINUTE
        return { start, end: start + MINUTE }
      }
      const { year, month, day } = parts(at)
      if (window === 'month') return { start: startOf(year, month, 1), end: startOf(year, month + 1, 1) }
      const first = window === 'day' ? day : day - daysSinceMonday(year, month, day)
      return { start: startOf(year, month, first), end: startOf(year, month, first + (window === 'day' ? 1 : 7)) }
    },
    write(at) {
      const { year, month, day, hour, minute, second } = parts(at)
      return new Date(Date.UTC(year, month, day, hour, minute, second)).toISOString().slice(0, 19).replace('T', ' ')
    },
  }
}

const daysSinceMonday = (year: number, month: number, day: number): number =>
  (new Date(Date.UTC(year, month, day)).getUTCDay() + 6) % 7

/** What clocks and calendars there show; the month from 0, as in Date. */
type Parts = Readonly<{ year: number; month: number; day: number; hour: number; minute: number; second: number }>

function partsIn(timeZone: string): (at: number) => Parts {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const shown = new Map<string, string>(format.formatToParts(at * 1000).map(({ type, value }) => [type, value]))
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(shown.get(type))
    return {
      year: part('year'),
      month: part('month') - 1,
      day: part('day'),
      hour: part('hour'),
      minute: part('minute'),
      second: part('second'),
    }
  }
}
