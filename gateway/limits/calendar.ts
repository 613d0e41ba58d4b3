import { TZDate } from '@date-fns/tz'
import { LRUCache } from 'lru-cache'
import type { BudgetWindow } from '../../shared/budgets.ts'

/** A range in unix seconds, excluding `end`. */
type TimeRange = Readonly<{ start: number; end: number }>

/** The windows aligned to the calendar; the five-hour window starts at its first use instead. */
export type CalendarWindow = Exclude<BudgetWindow, 'five_hours'>

export interface Calendar {
  /**
   * The minute, day, week (from Monday) or month that contains an instant, taking daylight saving time into account.
   */
  around(window: CalendarWindow, at: number): TimeRange
  /** Formats an instant in local time: `2026-11-21 00:00:00`. */
  write(at: number): string
}

const MINUTE = 60

const calendars = new LRUCache<string, Calendar>({ max: 100 })

/** The calendar of an IANA time zone; empty is UTC. Throws a RangeError for an unknown name. */
export function calendarOf(timeZone: string): Calendar {
  const known = calendars.get(timeZone)
  if (known) return known
  const calendar = createCalendar(timeZone)
  calendars.set(timeZone, calendar)
  return calendar
}

function createCalendar(timeZone: string): Calendar {
  const zone = canonicalZone(timeZone || 'UTC')
  const inZone = (at: number) => new TZDate(at * 1000, zone)
  /** The first instant of a date, which is not midnight if clocks go forward then. */
  const startOf = (year: number, month: number, day: number) => new TZDate(year, month, day, zone).getTime() / 1000
  return {
    around(window, at) {
      if (window === 'minute') {
        const start = Math.floor(at / MINUTE) * MINUTE
        return { start, end: start + MINUTE }
      }
      const date = inZone(at)
      const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
      if (window === 'month') return { start: startOf(year, month, 1), end: startOf(year, month + 1, 1) }
      const first = window === 'day' ? day : day - daysSinceMonday(date)
      return { start: startOf(year, month, first), end: startOf(year, month, first + (window === 'day' ? 1 : 7)) }
    },
    write: (at) => inZone(at).toISOString().slice(0, 19).replace('T', ' '),
  }
}

const daysSinceMonday = (date: TZDate): number => (date.getDay() + 6) % 7

/**
 * Normalizes a time zone name; throws if it is unknown, since the library would produce invalid dates. The library
 * caches by spelling, and names are case-insensitive.
 */
const canonicalZone = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
