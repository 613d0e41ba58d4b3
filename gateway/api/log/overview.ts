import { LRUCache } from 'lru-cache'
import { type Overview, overview } from '../../../shared/api/overview.ts'
import type { ModelPrice } from '../../../shared/api/unsaved-channel.ts'
import { channelStatus, role } from '../../../shared/enums.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { upTo } from '../../base/lru.ts'
import type { Ledger } from '../../billing/ledger.ts'
import type { Channels } from '../../channels/channels.ts'
import type { Settings } from '../../settings/settings.ts'
import { hourOf } from '../../store/log/usage-hours.ts'
import { usageReadings } from '../../store/log/usage-readings.ts'
import { usageSince } from '../../store/log/usage-since.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import type { Actor } from '../actor.ts'
import { type Served, serve } from '../serve.ts'

type OverviewDeps = Readonly<{
  db: Db
  /** Used for sums over the log. */
  reader: Pick<Reader, 'until'>
  ledger: Pick<Ledger, 'flush'>
  channels: Pick<Channels, 'registry' | 'cooldowns'>
  settings: Pick<Settings, 'get'>
  priceOf: (model: string) => ModelPrice
  clock: Clock
}>

const FRESH_S = 10
const MAX_AGE_S = 48 * 3600
const DAY_S = 24 * 3600
const MAX_LISTED = 5
const MAX_CACHED = 500

/**
 * The overview (docs/reference/api.md#overview). Usage, the state of the channels and models without a price are cached
 * for up to ten seconds, so that frequently opened pages cost no more.
 */
export function overviewApi(deps: OverviewDeps): Served[] {
  const { db, ledger, channels, clock } = deps
  const cache = new LRUCache<string, Promise<Shared>>({ ...upTo(MAX_CACHED) })
  const made = async (since: number, userId: number | undefined): Promise<Shared> => {
    await ledger.flush()
    const usageView = await usageFrom(deps, since, userId)
    const made_at = unixSeconds(clock)
    if (userId !== undefined) return { made_at, usage: usageView, channels: null, unpriced: null }
    return { made_at, usage: usageView, channels: channelsNow(channels), unpriced: unpricedNow(deps) }
  }
  /** Returns cached results if fresh enough; failures are not cached. */
  const shared = async (since: number, userId: number | undefined): Promise<Shared> => {
    const key = `${userId ?? 'all'} ${since} ${Math.floor(unixSeconds(clock) / FRESH_S)}`
    const known = cache.get(key)
    if (known) return known
    const making = made(since, userId)
    cache.set(key, making)
    making.catch(() => cache.delete(key))
    return making
  }
  return serve(overview, {
    read: async ({ query, actor }) => {
      const now = unixSeconds(clock)
      const isGiven = query.since > now - MAX_AGE_S && query.since <= now
      const since = isGiven ? query.since : now - DAY_S
      const isAdmin = actor.role >= role.admin
      const facts = await shared(since, isAdmin ? undefined : actor.id)
      const scope: Overview['scope'] = isAdmin ? 'all' : 'own'
      return { scope, since, ...facts, ...(await accountFacts(db, actor)) }
    },
  })
}

type Shared = Pick<Overview, 'made_at' | 'usage' | 'channels' | 'unpriced'>

/**
 * Reads hourly usage, whose cost does not depend on traffic, or the log if the range does not start on the hour, or
 * hourly usage is not recorded.
 */
async function usageFrom(deps: OverviewDeps, since: number, userId: number | undefined): Promise<Overview['usage']> {
  const { reader, settings, clock } = deps
  if (!settings.get('DataExportEnabled') || hourOf(since) !== since) {
    const { isPartial, ...figures } = await usageSince(reader.until({ accountId: userId ?? 0 }), since, userId)
    return { ...figures, is_partial: isPartial }
  }
  const [kind, subject] = userId === undefined ? (['all', ''] as const) : (['user', String(userId)] as const)
  const range = { from: since, to: unixSeconds(clock) }
  const { count, errors, quota, token_used } = await usageReadings(reader.until({ accountId: userId ?? 0 })).total(
    kind,
    subject,
    range,
  )
  return { requests: count, errors, quota, tokens: token_used, is_partial: false }
}

/** Not cached, so that users who have just created a token see it immediately. */
async function accountFacts(
  db: Db,
  { id: userId, role: own }: Actor,
): Promise<Pick<Overview, 'tokens' | 'has_requests'>> {
  const [tokens, user] = await Promise.all([
    db
      .selectFrom('tokens')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('users')
      .select('id')
      .where('request_count', '>', 0)
      .$if(own < role.admin, (query) => query.where('id', '=', userId))
      .limit(1)
      .executeTakeFirst(),
  ])
  return { tokens: Number(tokens.n), has_requests: user !== undefined }
}

function channelsNow({ registry, cooldowns }: OverviewDeps['channels']): Overview['channels'] {
  const all = [...registry.all()]
  const count = (status: number) => all.filter((channel) => channel.status === status).length
  const first = new Map<number, { id: number; name: string; kind: 'limited' | 'failing'; seconds: number }>()
  for (const { channelId: id, kind, seconds } of cooldowns.list()) {
    const name = registry.channel(id)?.name
    if (name !== undefined && !first.has(id)) first.set(id, { id, name, kind, seconds: Math.ceil(seconds) })
  }
  return {
    total: all.length,
    enabled: count(channelStatus.enabled),
    disabled: count(channelStatus.disabled),
    auto_disabled: count(channelStatus.autoDisabled),
    cooling: first.size,
    cooling_first: [...first.values()].slice(0, MAX_LISTED),
  }
}

/** In self-use mode, models need no price. */
function unpricedNow({ channels, settings, priceOf }: OverviewDeps): Overview['unpriced'] {
  if (settings.get('SelfUseModeEnabled')) return { total: 0, first: [] }
  const unpriced = channels.registry.enabledModels().filter((model) => {
    const { input, fixed } = priceOf(model)
    return input === null && fixed === null
  })
  return { total: unpriced.length, first: unpriced.slice(0, MAX_LISTED) }
}
