import { TZDate } from '@date-fns/tz'
import type { BudgetWindow } from '../../shared/budgets.ts'

/** A stretch of time in unix seconds; `end` is no part of it. */
export type TimeRange = Readonly<{ start: number; end: number }>

/** The windows that the calendar knows; five hours begin with the first use. */
export type CalendarWindow = Exclude<BudgetWindow, 'five_hours'>

/** The clock and the calendar of one time zone. */
export interface Calendar {
  /** The minute, day, week (from Monday) or month that an instant lies in, whatever daylight saving time makes of it. */
  around(window: CalendarWindow, at: number): TimeRange
  /** An instant as people there write it: `2026-11-21 00:00:00`. */
  write(at: number): string
}

const MINUTE = 60

/** The calendar of an IANA time zone; empty is UTC. Throws a RangeError for a name that is none. */
export function calendarOf(timeZone: string): Calendar {
  const zone = known(timeZone || 'UTC')
  const there = (at: number) => new TZDate(at * 1000, zone)
  /** The first instant of a date, which is not midnight where clocks go forward then. */
  const startOf = (year: number, month: number, day: number) => new TZDate(year, month, day, zone).getTime() / 1000
  return {
    around(window, at) {
      if (window === 'minute') {
        const start = Math.floor(at / MINUTE) * MINUTE
        return { start, end: start + MINUTE }
      }
      const date = there(at)
      const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
      if (window === 'month') return { start: startOf(year, month, 1), end: startOf(year, month + 1, 1) }
      const first = window === 'day' ? day : day - daysSinceMonday(date)
      return { start: startOf(year, month, first), end: startOf(year, month, first + (window === 'day' ? 1 : 7)) }
    },
    write: (at) => there(at).toISOString().slice(0, 19).replace('T', ' '),
  }
}

const daysSinceMonday = (date: TZDate): number => (date.getDay() + 6) % 7

/**
 * The name as the runtime spells it; refuses one it does not know, which the library would take for an invalid date. The
 * library keeps what it makes for each spelling, and people may write a name in any case.
 */
const known = (timeZone: string): string => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
