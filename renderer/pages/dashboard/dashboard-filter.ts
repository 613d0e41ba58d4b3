import { type RangeName, rangeNameIn, spanOf } from '../../components/time-range/named-ranges.ts'
import { type Granularity, granularities, startOf, stepFrom } from './buckets.ts'

/** The dashboard's filter: a named range, or a start and an end; by default the range of the granularity. */
export type DashboardFilter = Readonly<{
  range: RangeName | undefined
  start: number | undefined
  end: number | undefined
  by: Granularity
  /** Administrators only; empty for everyone. */
  username: string
}>

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** The default ranges (docs/reference/dashboard.md#range). */
const usualRanges: Readonly<Record<Granularity, RangeName>> = {
  minute: 'quarter',
  hour: 'day',
  day: 'days7',
  week: 'days30',
}

/** The longest range of a user's own rows (docs/reference/dashboard.md#calls). */
const MAX_SECONDS = 30 * DAY_S

/** The longest range by minute (docs/reference/dashboard.md#calls). */
const MAX_MINUTES_S = 3 * HOUR_S
const shortRanges: readonly (RangeName | undefined)[] = ['quarter', 'hour']

/**
 * Adapts the granularity to the range: minutes for the short named ranges, and hours instead of minutes for the other
 * named ranges and for any range that is too long for minutes.
 */
export function fitting(filter: DashboardFilter, now: number): DashboardFilter {
  const name = nameOf(filter)
  if (shortRanges.includes(name)) return { ...filter, by: 'minute' }
  const { from, to } = rangeOf(filter, now)
  return filter.by === 'minute' && (name || to - from > MAX_MINUTES_S) ? { ...filter, by: 'hour' } : filter
}

/** Changes the granularity; a range that does not suit it becomes the default range of the granularity. */
export const withGranularity = (filter: DashboardFilter, by: Granularity): DashboardFilter =>
  by === 'minute' && fitting({ ...filter, by }, nowSeconds()).by !== 'minute'
    ? { ...filter, by, range: undefined, start: undefined, end: undefined }
    : { ...filter, by, ...(shortRanges.includes(filter.range) && by !== 'minute' ? { range: undefined } : {}) }

/**
 * The named range of a filter, by default that of its granularity; undefined if the filter has a start or an end
 * instead.
 */
export const nameOf = ({ range, start, end, by }: DashboardFilter): RangeName | undefined =>
  range ?? (start === undefined && end === undefined ? usualRanges[by] : undefined)

/**
 * The range of a filter. A named range is limited to its last 30 days, which shortens a month of 31; without a start,
 * the range is the 30 days before its end.
 */
export function rangeOf(filter: DashboardFilter, now: number): Readonly<{ from: number; to: number }> {
  const name = nameOf(filter)
  const { start, end } = name ? spanOf(name, now * 1000) : filter
  const to = end ?? now
  const earliest = to - MAX_SECONDS
  if (start === undefined) return { from: earliest, to }
  return { from: name ? Math.max(start, earliest) : start, to }
}

/**
 * The first and last second of the hours that start in a range (docs/reference/dashboard.md#range), or of the minutes,
 * for data not stored by the hour; an open range has no last one.
 */
export function hoursOf(filter: DashboardFilter, now: number): Readonly<{ from: number; to: number | undefined }> {
  const { from, to } = rangeOf(filter, now)
  const step = filter.by === 'minute' ? MINUTE_S : HOUR_S
  const last = Math.floor(to / step) * step + step - 1
  return { from: Math.ceil(from / step) * step, to: to === now ? undefined : last }
}

/**
 * The filter for the points from `first` to `last` only: by minutes or hours if they cover a few days; else weeks
 * become days.
 */
export function zoomed(filter: DashboardFilter, first: number, last: number): DashboardFilter {
  const end = stepFrom(last, filter.by, 1) - 1
  const seconds = end - first
  const finer = filter.by === 'week' ? 'day' : filter.by
  const by = seconds <= MAX_MINUTES_S ? 'minute' : 'hour'
  return { ...filter, range: undefined, start: first, end, by: seconds <= FEW_DAYS * DAY_S ? by : finer }
}

const FEW_DAYS = 3

export const granularityIn = (text: string | null): Granularity | undefined => granularities.find((one) => one === text)

export function readFilter(search: URLSearchParams, usual: Granularity): DashboardFilter {
  const filter = {
    range: rangeNameIn(search.get('range')),
    start: secondsIn(search.get('from')),
    end: secondsIn(search.get('to')),
    by: granularityIn(search.get('by')) ?? usual,
    username: search.get('user')?.trim() ?? '',
  }
  return fitting(filter, nowSeconds())
}

export function addressOf({ range, start, end, by, username }: DashboardFilter, usual: Granularity): URLSearchParams {
  const search = new URLSearchParams()
  if (range !== undefined) search.set('range', range)
  if (start !== undefined) search.set('from', String(start))
  if (end !== undefined) search.set('to', String(end))
  if (by !== usual) search.set('by', by)
  if (username !== '') search.set('user', username)
  return search
}

function secondsIn(text: string | null): number | undefined {
  const seconds = Number(text)
  return text && Number.isSafeInteger(seconds) && seconds > 0 ? seconds : undefined
}

export function midnights(now: number): Readonly<{ today: number; yesterday: number }> {
  const today = startOf(now, 'day')
  return { today, yesterday: startOf(today - HOUR_S, 'day') }
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)
