import type { DashboardSummary, Ranked } from '../../../shared/api/data.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Bucket, bucketOf, percentiles } from '../../store/log/latency-buckets.ts'
import { type HourRange, MAX_SAMPLED, type RankedSubject, type usageReadings } from '../../store/log/usage-readings.ts'

export type SummaryDeps = Readonly<{
  clock: Clock
  settings: Pick<Settings, 'get'>
  days: Readonly<{ range: HourRange; today: number; yesterday: number }>
  /** All users, as seen by one account; one user by name; or the caller. */
  whose: Readonly<{ isAll: true; viewer: number }> | Readonly<{ name: string }> | Readonly<{ id: number }>
}>

type Readings = ReturnType<typeof usageReadings>

const MINUTE_S = 60
const DAY_S = 86_400
const WEEK_S = 7 * DAY_S

/** The main figures of the dashboard (docs/reference/dashboard.md#summary), for all users or one. */
export async function summaryOf(usage: Readings, deps: SummaryDeps): Promise<DashboardSummary> {
  const { clock, settings, days, whose } = deps
  const now = unixSeconds(clock)
  const account = await usage.account('isAll' in whose ? { id: whose.viewer } : whose)
  /** Undefined for all users; no account has the id 0. */
  const userId = 'isAll' in whose ? undefined : (account?.id ?? 0)
  const total = (range: HourRange) =>
    userId === undefined ? usage.total('all', '', range) : usage.total('user', String(userId), range)
  return {
    made_at: now,
    refresh_seconds: settings.get('DataExportInterval') * MINUTE_S,
    today: await total({ from: days.today, to: now }),
    yesterday: await total({ from: days.yesterday, to: days.yesterday + (now - days.today) }),
    dearest: {
      models: (await usage.dearest('model', days.range, userId)).map(asModel),
      tokens: await named(usage, 'token', await usage.dearest('token', days.range, userId)),
      users: userId === undefined ? await named(usage, 'user', await usage.dearest('user', days.range)) : null,
    },
    latency: userId === undefined ? await latencyOfAll(usage, days.range) : await latencyOf(usage, userId, days.range),
    account: account ? { ...asAccount(account), days_left: await daysLeft(usage, account, now) } : null,
  }
}

const asModel = ({ subject, count, quota }: RankedSubject): Ranked => ({ id: 0, name: subject, count, quota })

async function named(usage: Readings, kind: 'token' | 'user', rows: readonly RankedSubject[]): Promise<Ranked[]> {
  const ids = rows.map(({ subject }) => Number(subject))
  const names = await usage.names(kind, ids)
  return rows.map(({ subject, count, quota }) => {
    const id = Number(subject)
    return { id, name: '', ...names.get(id), count, quota }
  })
}

async function latencyOfAll(usage: Readings, range: HourRange): Promise<DashboardSummary['latency']> {
  const total = percentiles(await usage.latency('whole', range)) ?? null
  return { whole: total, first: percentiles(await usage.latency('first', range)) ?? null, is_sample: false }
}

async function latencyOf(usage: Readings, userId: number, range: HourRange): Promise<DashboardSummary['latency']> {
  const rows = await usage.sample(userId, range)
  const of = (times: readonly number[]) => percentiles(times.filter((ms) => ms >= 0).map(alone)) ?? null
  return {
    whole: of(rows.map(({ tookMs }) => tookMs)),
    first: of(rows.map(({ firstByteMs }) => firstByteMs)),
    is_sample: rows.length === MAX_SAMPLED,
  }
}

const alone = (milliseconds: number): Bucket => ({ bucket: bucketOf(milliseconds), count: 1 })

type Account = NonNullable<Awaited<ReturnType<Readings['account']>>>

const asAccount = ({ username, quota, used_quota, request_count }: Account) => ({
  username,
  quota,
  used_quota,
  request_count,
})

/**
 * Days until the quota is used up, to a tenth, at the rate of the last seven days, or of the time since the first usage
 * in them, but at least one day; null if there was no usage.
 */
async function daysLeft(usage: Readings, { id, quota }: Account, now: number): Promise<number | null> {
  const { quota: spent, first } = await usage.spentSince(id, now - WEEK_S)
  if (spent <= 0 || first === null) return null
  const days = Math.max(1, (now - first) / DAY_S)
  return Math.max(0, Math.round((quota / (spent / days)) * 10) / 10)
}
