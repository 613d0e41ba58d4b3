import { type Granularity, granularities, startOf } from './buckets.ts'

/** The dashboard's filter; undefined times are the defaults of the granularity. */
export type DashboardFilter = Readonly<{
  start: number | undefined
  end: number | undefined
  by: Granularity
  /** Administrators only; empty for everyone. */
  username: string
}>

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** The default range (docs/reference/dashboard.md#range). */
const spans: Readonly<Record<Granularity, number>> = { hour: DAY_S, day: 7 * DAY_S, week: 30 * DAY_S }

const MAX_SECONDS = 30 * DAY_S

/**
 * The range of a filter: by default from `spans` ago until an hour from now, so that it includes new usage; limited
 * to the maximum.
 */
export function rangeOf({ start, end, by }: DashboardFilter, now: number): Readonly<{ from: number; to: number }> {
  const to = end ?? now + HOUR_S
  return { from: start ?? Math.max(Math.min(now, to) - spans[by], to - MAX_SECONDS), to }
}

/**
 * The first and last second of the hours that start in a range (docs/reference/dashboard.md#range), for data not
 * stored by the hour; an open range has no last one.
 */
export function hoursOf(filter: DashboardFilter, now: number): Readonly<{ from: number; to: number | undefined }> {
  const { from, to } = rangeOf(filter, now)
  const last = Math.floor(to / HOUR_S) * HOUR_S + HOUR_S - 1
  return { from: Math.ceil(from / HOUR_S) * HOUR_S, to: filter.end === undefined ? undefined : last }
}

export const granularityIn = (text: string | null): Granularity | undefined => granularities.find((one) => one === text)

export function readFilter(search: URLSearchParams, usual: Granularity): DashboardFilter {
  return {
    start: secondsIn(search.get('from')),
    end: secondsIn(search.get('to')),
    by: granularityIn(search.get('by')) ?? usual,
    username: search.get('user')?.trim() ?? '',
  }
}

export function addressOf({ start, end, by, username }: DashboardFilter, usual: Granularity): URLSearchParams {
  const search = new URLSearchParams()
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
