import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import {
  type DashboardLive,
  type DashboardSummary,
  data,
  type HourHealth,
  type QuotaData,
  type UsageMinutes,
} from '../../../shared/api/data.ts'
import { type SendOptions, send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'
import type { UsageRow } from './buckets.ts'
import { type DashboardFilter, midnights, nowSeconds, rangeOf } from './dashboard-filter.ts'

export type ShownRows = Readonly<{
  rows: readonly (UsageRow & Partial<Pick<QuotaData, 'username'>>)[]
  from: number
  to: number
}>

const liveMs = 5000
const summaryMs = 30_000
const usualMs = 300_000

/**
 * Usage by model and hour, or minute: everyone's or one user's for administrators, else one's own; not loaded if
 * `everyMs` is false.
 */
export const useRows = (
  filter: DashboardFilter,
  isAdmin: boolean,
  everyMs: number | false,
): UseQueryResult<ShownRows> =>
  usePolled({
    queryKey: [areaOf(data.list), 'rows', isAdmin, filter],
    read: async (manner) => {
      const now = nowSeconds()
      const { from, to } = rangeOf(filter, now)
      const range = { start_timestamp: from, end_timestamp: to }
      if (filter.by === 'minute') {
        const read = await readMinutes(filter, isAdmin, manner)
        return { rows: read.rows, from: read.from, to: Math.min(to, now) }
      }
      const rows = isAdmin
        ? await send(data.list, { query: { ...range, username: filter.username } }, manner)
        : await send(data.own, { query: range }, manner)
      return { rows, from, to: Math.min(to, now) }
    },
    everyMs,
    enabled: everyMs !== false,
    placeholderData: keepPreviousData,
  })

function readMinutes(filter: DashboardFilter, isAdmin: boolean, manner: SendOptions): Promise<UsageMinutes> {
  const { from, to } = rangeOf(filter, nowSeconds())
  const range = { start_timestamp: from, end_timestamp: to }
  return isAdmin
    ? send(data.minutes, { query: { ...range, username: filter.username } }, manner)
    : send(data.ownMinutes, { query: range }, manner)
}

/** Failures and durations by hour, or failures by minute, as far as the rows reach; read only while they are shown. */
export const useHealth = (
  filter: DashboardFilter,
  isAdmin: boolean,
  everyMs: number,
): UseQueryResult<readonly HourHealth[]> =>
  usePolled({
    queryKey: [areaOf(data.health), 'health', isAdmin, filter],
    read: async (manner) => {
      if (filter.by === 'minute')
        return (await readMinutes(filter, isAdmin, manner)).rows.map((row) => ({ ...row, p95: null }))
      const { from, to } = rangeOf(filter, nowSeconds())
      const range = { start_timestamp: from, end_timestamp: to }
      return isAdmin
        ? send(data.health, { query: { ...range, username: filter.username } }, manner)
        : send(data.ownHealth, { query: range }, manner)
    },
    everyMs,
    placeholderData: keepPreviousData,
  })

/** The summary, refreshed twice a minute while the page is visible. */
export const useSummary = (filter: DashboardFilter, isAdmin: boolean): UseQueryResult<DashboardSummary> =>
  usePolled({
    queryKey: [areaOf(data.summary), 'summary', isAdmin, filter],
    read: (manner) => {
      const now = nowSeconds()
      const { from, to } = rangeOf(filter, now)
      const query = { start_timestamp: from, end_timestamp: to, ...midnights(now) }
      return isAdmin
        ? send(data.summary, { query: { ...query, username: filter.username } }, manner)
        : send(data.ownSummary, { query }, manner)
    },
    everyMs: summaryMs,
    placeholderData: keepPreviousData,
  })

/** Refresh interval of the charts in milliseconds, as set by the operator (DataExportInterval); minutes are live. */
export function everyOf(summary: DashboardSummary | undefined, { by }: DashboardFilter): number {
  if (by === 'minute') return liveMs
  return summary ? summary.refresh_seconds * 1000 : usualMs
}

/**
 * The load of the last minute, and an administrator's channel states, refreshed every five seconds while the page is
 * visible.
 */
export const useLive = (username: string, isAdmin: boolean): UseQueryResult<DashboardLive> =>
  usePolled({
    queryKey: [areaOf(data.live), 'live', isAdmin, username],
    read: (manner) => (isAdmin ? send(data.live, { query: { username } }, manner) : send(data.ownLive, {}, manner)),
    everyMs: liveMs,
    placeholderData: keepPreviousData,
  })
