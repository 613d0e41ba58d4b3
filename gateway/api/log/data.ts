import { LRUCache } from 'lru-cache'
import { type DashboardSummary, data, type HourHealth, type UsageMinutes } from '../../../shared/api/data.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { lruLife, upTo } from '../../base/lru.ts'
import type { Ledger } from '../../billing/ledger.ts'
import type { Channels } from '../../channels/channels.ts'
import type { Relay } from '../../relay/create.ts'
import type { Settings } from '../../settings/settings.ts'
import { middleOf } from '../../store/log/latency-buckets.ts'
import { hourOf } from '../../store/log/usage-hours.ts'
import { usageMinutes } from '../../store/log/usage-minutes.ts'
import { type HourRange, usageReadings } from '../../store/log/usage-readings.ts'
import { usageSince } from '../../store/log/usage-since.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ReadCaller, Reader } from '../../store/sqlite/reader.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import { troubledChannels } from '../channel/troubled-channels.ts'
import { packed, serve } from '../serve.ts'
import { type SummaryDeps, summaryOf } from './data-summary.ts'

type DataDeps = Readonly<{
  reader: Pick<Reader, 'until' | 'packed'>
  db: Db
  ledger: Pick<Ledger, 'flush'>
  channels: Pick<Channels, 'registry' | 'cooldowns' | 'failing'>
  relay: Readonly<{ routes: Pick<Relay['routes'], 'active'> }>
  settings: Pick<Settings, 'get'>
  clock: Clock
}>

/** The longest range of a user's own rows, as in compatible gateways. */
const OWN_SPAN_S = 2_592_000
/** The longest range for administrators, who get the rows of each model and hour. */
const ADMIN_SPAN_S = 7_776_000
const HOUR_S = 3600
/** The longest range by minute, which is read from the log. */
const MINUTES_SPAN_S = 10_800
const HOURS = 24
const MINUTE_S = 60
const SUMMARY_MS = 5000
const LIVE_MS = 2000
const MAX_CACHED = 500

/**
 * Hourly usage and the dashboard over it (docs/reference/dashboard.md). Rows are read on each request, after the ledger
 * has written pending charges; summaries are cached for some seconds, so that many open dashboards cost no more than
 * one.
 */
export function dataApi(deps: DataDeps) {
  const { reader, ledger, clock } = deps
  const readings = async (caller: ReadCaller) => {
    await ledger.flush()
    return usageReadings(reader.until(caller))
  }
  const monotonic = () => clock.monotonic()
  const summaries = createCache<DashboardSummary>(SUMMARY_MS, monotonic)
  const lives = createCache<Awaited<ReturnType<typeof lastMinute>>>(LIVE_MS, monotonic)
  const summary = (range: Days, actor: Actor, whose: SummaryDeps['whose']) => {
    const days = boundedDays(range, unixSeconds(clock), 'isAll' in whose ? ADMIN_SPAN_S : spanOf(whose))
    const reading = async () => summaryOf(await readings({ accountId: actor.id }), { ...deps, days, whose })
    return summaries(JSON.stringify([days, whose]), reading)
  }
  const recents = createCache<UsageMinutes>(LIVE_MS, monotonic)
  const minutes = (filters: TimeRange, userId: number | undefined) => {
    const range = minutesOf(rangeOf(filters, unixSeconds(clock), MINUTES_SPAN_S))
    return recents(JSON.stringify([range, userId]), async () => {
      await ledger.flush()
      return usageMinutes(reader.until({ accountId: userId ?? 0 }), range, userId)
    })
  }
  const minute = (userId: number | undefined) => lives(String(userId), () => lastMinute(deps, userId))
  const answered = async (query: ReturnType<Readings['byModel']>, caller: ApiCaller) =>
    packed(await reader.packed(query, ENVELOPE, caller))
  return serve(data, {
    list: async ({ query: { username, ...filters }, caller }) => {
      const range = rangeOf(filters, unixSeconds(clock), ADMIN_SPAN_S)
      const usage = await readings(caller)
      if (username === '') return answered(usage.byModel(range), caller)
      const account = await usage.account({ name: username })
      return answered(usage.ofUser(account ? { id: account.id } : { name: username }, range), caller)
    },
    own: async ({ query, actor, caller }) => {
      const range = rangeOf(query, unixSeconds(clock), OWN_SPAN_S)
      return answered((await readings(caller)).ofUser({ id: actor.id }, range), caller)
    },
    health: async ({ query: { username, ...filters }, caller }) => {
      const range = rangeOf(filters, unixSeconds(clock), ADMIN_SPAN_S)
      const usage = await readings(caller)
      const account = username === '' ? undefined : await usage.account({ name: username })
      return healthOf(usage, username === '' ? undefined : (account?.id ?? 0), range)
    },
    ownHealth: async ({ query, actor, caller }) =>
      healthOf(await readings(caller), actor.id, rangeOf(query, unixSeconds(clock), OWN_SPAN_S)),
    minutes: async ({ query: { username, ...filters }, caller }) => {
      const account = username === '' ? undefined : await (await readings(caller)).account({ name: username })
      return minutes(filters, username === '' ? undefined : (account?.id ?? 0))
    },
    ownMinutes: ({ query, actor }) => minutes(query, actor.id),
    summary: ({ query: { username, ...filters }, actor }) =>
      summary(filters, actor, username === '' ? { isAll: true, viewer: actor.id } : { name: username }),
    ownSummary: ({ query, actor }) => summary(query, actor, { id: actor.id }),
    live: async ({ query: { username }, caller }) => {
      const channels = await troubledChannels(deps)
      if (username === '') return { ...(await minute(undefined)), running: deps.relay.routes.active, channels }
      const account = await (await readings(caller)).account({ name: username })
      return { ...(await minute(account?.id ?? 0)), running: null, channels }
    },
    ownLive: async ({ actor }) => ({ ...(await minute(actor.id)), running: null, channels: null }),
    tokenHours: async ({ body: { ids }, actor, caller }) => {
      const last = hourOf(unixSeconds(clock))
      const hours = Array.from({ length: HOURS }, (_, index) => last - (HOURS - 1 - index) * HOUR_S)
      const { own, rows } = await (await readings(caller)).ofTokens(actor.id, ids, hours)
      return own.map((id) => {
        const counts = new Array<number>(HOURS).fill(0)
        const ofToken = rows.filter(({ subject }) => subject === String(id))
        for (const row of ofToken) counts[hours.indexOf(row.created_at)] = row.count + row.errors
        return { token_id: id, counts, quota: ofToken.reduce((sum, { quota }) => sum + quota, 0) }
      })
    },
  })
}

/** The health of each hour, of all users if `userId` is undefined. */
async function healthOf(usage: Readings, userId: number | undefined, range: HourRange): Promise<HourHealth[]> {
  const hours = await usage.health(userId, range)
  return hours.map(({ p95, ...hour }) => ({ ...hour, p95: p95 === undefined ? null : middleOf(p95) }))
}

/** Whole minutes, so that requests within a minute share one response. */
const minutesOf = ({ from, to }: HourRange): HourRange => ({
  from: from - (from % MINUTE_S),
  to: to - (to % MINUTE_S) + MINUTE_S - 1,
})

type Readings = ReturnType<typeof usageReadings>
/** The envelope around rows that are JSON already. */
const ENVELOPE = { before: '{"success":true,"message":"","data":', after: '}' } as const

type TimeRange = Readonly<{ start_timestamp: number; end_timestamp: number }>
type Days = TimeRange & Readonly<{ today: number; yesterday: number }>

const spanTexts = {
  [OWN_SPAN_S]: 'data.span',
  [ADMIN_SPAN_S]: 'data.spanAdmin',
  [MINUTES_SPAN_S]: 'data.spanMinutes',
} as const
type Span = keyof typeof spanTexts

/**
 * Returns the requested range, which ends now if it has no end, and has the length `longest` if it has no start. Throws
 * if it is longer than that.
 */
function rangeOf({ start_timestamp, end_timestamp }: TimeRange, now: number, longest: Span): HourRange {
  const to = end_timestamp > 0 ? end_timestamp : now
  const from = start_timestamp > 0 ? start_timestamp : Math.max(0, to - longest)
  if (to - from > longest) throw refuse('invalid', spanTexts[longest])
  return { from, to }
}

/** The maximum span of one's own rows, or of an administrator's view. */
const spanOf = (whose: SummaryDeps['whose']): Span => ('id' in whose ? OWN_SPAN_S : ADMIN_SPAN_S)

/**
 * The range, rounded to hours, so that requests within an hour share one response; implausible midnights are replaced
 * by today's in UTC.
 */
function boundedDays(range: Days, now: number, longest: Span): SummaryDeps['days'] {
  const { from, to } = rangeOf(range, now, longest)
  const { today, yesterday } = range
  const isGiven =
    today <= now && today > now - MAX_DAY_SECONDS && yesterday < today && today - yesterday < MAX_DAY_SECONDS
  const start = isGiven ? today : now - (now % DAY_S)
  return {
    range: { from: hourOf(from + HOUR_S - 1), to: hourOf(to) },
    today: start,
    yesterday: isGiven ? yesterday : start - DAY_S,
  }
}

const DAY_S = 86_400
/** A day may have 25 hours, and a clock may be slightly off. */
const MAX_DAY_SECONDS = 26 * HOUR_S

async function lastMinute({ reader, ledger, clock }: DataDeps, userId: number | undefined) {
  await ledger.flush()
  const { requests, errors, tokens } = await usageSince(
    reader.until({ accountId: userId ?? 0 }),
    unixSeconds(clock) - MINUTE_S,
    userId,
  )
  return { requests: requests + errors, errors, token_used: tokens }
}

function createCache<T>(milliseconds: number, monotonic: () => number) {
  const cache = new LRUCache<string, Promise<T>>({ ...upTo(MAX_CACHED), ...lruLife(milliseconds, monotonic) })
  return (key: string, make: () => Promise<T>): Promise<T> => {
    const known = cache.get(key)
    if (known) return known
    const making = make()
    cache.set(key, making)
    making.catch(() => cache.delete(key))
    return making
  }
}
