import { channelStatus } from '../../shared/enums.ts'
import { linesOf } from '../../shared/options/lists.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Logger } from '../base/logger.ts'
import type { Settings } from '../settings/settings.ts'
import { abilityStore } from '../store/abilities.ts'
import { type ChannelPatch, channelStore } from '../store/channels.ts'
import type { Db } from '../store/database.ts'
import type { ActiveChannel } from './active-channel.ts'
import type { Roster } from './roster.ts'
import { withoutReason, withReason } from './status-reason.ts'
import type { UpstreamFailure } from './upstream-failure.ts'

/** What root is told of. `tested` ends a test of all channels. */
export type ChannelNews =
  | Readonly<{ kind: 'disabled' | 'enabled'; channelId: number; name: string; reason: string }>
  | Readonly<{ kind: 'tested' }>

/** Takes channels out of service by themselves and back (spec/relay.md §4.6, spec/console.md §4.4.8). */
export interface ChannelHealth {
  /** Whether this failure should take the channel out of service: the option and the channel's own switch allow it. */
  condemns(channel: ActiveChannel, failure: UpstreamFailure): boolean
  /** Disables the channel if `condemns`; answers whether it changed anything. Never throws. */
  report(channel: ActiveChannel, failure: UpstreamFailure): Promise<boolean>
  /** Enabled to disabled by the system, with the reason; false when it was not enabled any more. */
  disable(channelId: number, reason: string): Promise<boolean>
  /** Disabled by the system to enabled; false when it was in any other state. */
  enable(channelId: number): Promise<boolean>
}

export type HealthDeps = Readonly<{
  db: Db
  roster: Roster
  clock: Clock
  settings: Pick<Settings, 'get' | 'derive'>
  log: Logger
  notify?: (news: ChannelNews) => void
}>

const GEMINI = 24
const fatalCodes = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'pre_consume_token_quota_failed',
])
const fatalTypes = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])

/**
 * Whether an upstream's refusal means the channel will not work again by itself: its key, account or balance is at
 * fault. `keywords` are literal phrases in lower case. A status such as 429 or 500 alone never counts.
 */
export function isFatal(failure: UpstreamFailure, channelType: number, keywords: readonly string[]): boolean {
  const { status, code, type, message } = failure
  if (status === 401 || (status === 403 && channelType === GEMINI)) return true
  if (fatalCodes.has(code) || fatalTypes.has(type)) return true
  const said = message.toLowerCase()
  return keywords.some((keyword) => said.includes(keyword))
}

/** The keywords are prepared once for each change of the option. */
export function createHealth({ db, roster, clock, settings, log, notify = () => {} }: HealthDeps): ChannelHealth {
  const keywords = settings.derive(['AutomaticDisableKeywords'], () =>
    linesOf(settings.get('AutomaticDisableKeywords').toLowerCase()),
  )
  const condemns = (channel: ActiveChannel, failure: UpstreamFailure) =>
    channel.autoBan && settings.get('AutomaticDisableChannelEnabled') && isFatal(failure, channel.type, keywords())

  const move = async (id: number, from: number, to: number, reason: string): Promise<boolean> => {
    const name = await db
      .transaction()
      .execute((transaction) => moved(transaction, id, from, to, reason, unixSeconds(clock)))
    if (name === undefined) return false
    await roster.reload()
    const kind = to === channelStatus.enabled ? 'enabled' : 'disabled'
    log.info('channel switched by the system', { channelId: id, kind, reason })
    notify({ kind, channelId: id, name, reason })
    return true
  }
  const disable = (id: number, reason: string) =>
    move(
      id,
      channelStatus.enabled,
      channelStatus.autoDisabled,
      reason.replaceAll(roster.channel(id)?.key || '\0', '***'),
    )
  return {
    condemns,
    disable,
    enable: (id) => move(id, channelStatus.autoDisabled, channelStatus.enabled, ''),
    async report(channel, failure) {
      if (!condemns(channel, failure)) return false
      try {
        return await disable(channel.id, `status code ${failure.status}: ${failure.message}`)
      } catch (error) {
        log.error('channel could not be disabled', { channelId: channel.id, error })
        return false
      }
    },
  }
}

/** The status changes only from `from`, so of several who try at once one succeeds; answers the channel's name or nothing. */
async function moved(transaction: Db, id: number, from: number, to: number, reason: string, now: number) {
  const row = await channelStore(transaction).byId(id)
  if (!row) return undefined
  const other_info =
    to === channelStatus.enabled ? withoutReason(row.other_info) : withReason(row.other_info, reason, now)
  const changes: ChannelPatch & { status: number } = { status: to, other_info }
  if (!(await channelStore(transaction).switchStatus(id, from, changes))) return undefined
  await abilityStore(transaction).patch([id], { enabled: Number(to === channelStatus.enabled) })
  return row.name
}
