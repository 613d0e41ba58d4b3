import type { RunItem } from '../../../shared/api/channel-runs.ts'
import { type BalanceKind, channelTypeById } from '../../../shared/channel-types.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { parsed } from '../../base/json/json.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { FetchTrusted } from '../../base/network/http-client.ts'
import type { Settings } from '../../settings/settings.ts'
import { channelStore } from '../../store/channels/channels.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ChannelEvent } from '../health/event-text.ts'
import type { ChannelHealth } from '../health/health.ts'
import { type ActiveChannel, baseUrlOf } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { findChannel } from '../registry/write-channels.ts'
import { balanceCalls, type QueryUpstream } from './balance-calls.ts'
import type { Runs } from './runs.ts'

/** Queries upstreams for their remaining balance (docs/reference/channels.md#balances). */
export interface ChannelBalance {
  /** Returns US dollars and stores them with the time; throws `channel.balance_na` for types without a balance. */
  one(id: number): Promise<number>
  /**
   * Starts updating every enabled channel whose type has a balance, one at a time; throws if already running. `locale`
   * is the language of the messages in the run's results.
   */
  all(locale: Locale): void
  idle(): Promise<void>
}

type BalanceDeps = Readonly<{
  db: Db
  registry: ChannelRegistry
  runs: Runs
  fetchTrusted: FetchTrusted
  health: ChannelHealth
  settings: Pick<Settings, 'get'>
  clock: Clock
  log: Logger
  notify?: (event: ChannelEvent) => void
}>

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024
/** Max plausible balance in US dollars. */
const MAX_BALANCE = 1_000_000_000_000
/** The only account API that is on a different host from the calls. */
const AIPROXY_ACCOUNTS = 'https://aiproxy.io'

/**
 * A failing channel does not stop an update of all. A channel with an exhausted account is disabled if the options
 * allow it.
 */
export function createBalance(deps: BalanceDeps): ChannelBalance {
  const { db, registry, runs, notify = () => {} } = deps
  return {
    one: async (id) => updated(deps, await findChannel(deps, id)),
    all(locale) {
      runs.begin('balance', {
        width: 1,
        targets: async () =>
          (await channelStore(db).byStatus([channelStatus.enabled])).flatMap(({ id }) => {
            const channel = registry.channel(id)
            return channel && kindOf(channel) ? [channel] : []
          }),
        work: ({ id }) => updateAndEvaluate(deps, id, locale),
        done: (run) => notify({ kind: 'balances', run }),
      })
    },
    idle: () => runs.idle('balance'),
  }
}

async function updated(deps: BalanceDeps, channel: ActiveChannel): Promise<number> {
  const balance = await fetchBalance(deps, channel)
  const balance_updated_time = unixSeconds(deps.clock)
  await channelStore(deps.db).update([channel.id], { balance, balance_updated_time })
  return balance
}

async function updateAndEvaluate(deps: BalanceDeps, id: number, locale: Locale): Promise<RunItem | undefined> {
  const { registry, settings, health, log } = deps
  const channel = registry.channel(id)
  if (channel?.status !== channelStatus.enabled) return undefined
  const base = { channel_id: id, name: channel.name, seconds: 0 }
  try {
    const balance = await updated(deps, channel)
    const mayDisable = balance <= 0 && channel.autoBan && settings.get('AutomaticDisableChannelEnabled')
    const reason = formatMessage('en', 'channel.balance_exhausted', { amount: balance.toFixed(2) })
    const isOff = mayDisable && (await health.disable(id, reason))
    return { ...base, ok: true, message: '', balance, switched: isOff ? 'off' : '' }
  } catch (error) {
    const isRefusal = error instanceof GatewayError
    if (!isRefusal) log.error('balance update failed', { channelId: id, error })
    const message = isRefusal
      ? formatMessage(locale, error.key, error.params)
      : formatMessage(locale, 'channel.test_broke')
    return { ...base, ok: false, message, balance: null, switched: '' }
  }
}

/** Returns the balance in US dollars; yuan are converted using the option USDExchangeRate. */
async function fetchBalance({ fetchTrusted, settings, clock }: BalanceDeps, channel: ActiveChannel): Promise<number> {
  const kind = kindOf(channel)
  if (!kind) throw refuse('invalid', 'channel.balance_na')
  const getUpstream: QueryUpstream = async (path) => {
    const { status, text } = await fetchTrusted(addressFor(kind, channel) + path, {
      headers: kind === 'aiproxy' ? { 'api-key': channel.key } : { authorization: `Bearer ${channel.key}` },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      proxy: channel.setting.proxy,
    })
    if (status < 200 || status > 299) throw refuse('upstream', 'relay.upstreamStatus', { status })
    return parsed(text)
  }
  try {
    const { amount, currency } = await balanceCalls[kind](getUpstream, clock.now())
    const balance = currency === 'USD' ? amount : amount / (settings.get('USDExchangeRate') || 1)
    if (!Number.isFinite(balance) || Math.abs(balance) > MAX_BALANCE)
      throw refuse('upstream', 'relay.upstreamUnreadable')
    return balance
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause
    throw refuse('upstream', 'relay.upstreamUnreadable', {}, { cause })
  }
}

const kindOf = ({ type }: ActiveChannel): BalanceKind | null => channelTypeById(type)?.balance ?? null

/** The base address of the account API; a custom channel's address includes the path of its calls, which is removed. */
function addressFor(kind: BalanceKind, { type, baseUrl }: ActiveChannel): string {
  if (kind === 'aiproxy' && baseUrl === baseUrlOf(type, '')) return AIPROXY_ACCOUNTS
  return kind === 'openai-billing' ? baseUrl.replace(/\/v1(\/.*)?$/s, '') : baseUrl
}
