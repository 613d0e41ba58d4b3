import { channelTypes } from '../../../shared/channel-types.ts'
import { linesOf } from '../../../shared/options/lists.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import type { Logger } from '../../base/logger.ts'
import type { Settings } from '../../settings/settings.ts'
import type { FailureWindow } from '../../shared-state/failure-window.ts'
import type { Db } from '../../store/database.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import type { ChannelEvent } from './channel-events.ts'
import { keySwitchedOff, keySwitchedOn, type StatusTransition, switchedOff, switchedOn } from './status-transitions.ts'
import type { UpstreamFailure } from './upstream-failure.ts'

/** Takes channels out of service by themselves and back (docs/reference/selection.md#should-disable-rule). */
export interface ChannelHealth {
  /** Whether this failure should take the channel out of service: the option and the channel's own switch allow it. */
  shouldDisable(channel: ActiveChannel, failure: UpstreamFailure): boolean
  /**
   * Disables the channel, or of several keys the one it was asked with, if `shouldDisable` and that often enough in a while;
   * returns whether it changed anything. A failure that only repeats keywords of the request does not count. Never throws.
   */
  report(channel: ActiveChannel, failure: UpstreamFailure, wereAllSent?: WereAllSent): Promise<boolean>
  /** Enabled to disabled by the system, with the reason; false when it was not enabled any more. */
  disable(channelId: number, reason: string): Promise<boolean>
  /** Disabled by the system to enabled; false when it was in any other state. */
  enable(channelId: number): Promise<boolean>
  /** Puts back the key that a channel of several is asked with; false when the system had not switched it off. */
  enableKey(channel: ActiveChannel): Promise<boolean>
}

/** Whether each of these words occurs in what a caller sent. */
type WereAllSent = (words: readonly string[]) => Promise<boolean>

type HealthDeps = Readonly<{
  db: Db
  registry: ChannelRegistry
  clock: Clock
  settings: Pick<Settings, 'get' | 'derive'>
  failures: FailureWindow
  log: Logger
  notify?: (event: ChannelEvent) => void
}>

const disablingCodes = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'pre_consume_token_quota_failed',
])
const disablingTypes = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])

/** Statuses by which any vendor refuses the account (RFC 9110 §15.5.2-4, RFC 6585 §4). */
const refusingStatuses = [401, 402, 403, 429]
/** Vendors that document another one for it: a credit that is used up, a key that is not valid, an account in arrears or without access. */
const furtherStatuses: Readonly<Record<number, readonly number[]>> = {
  [channelTypes.anthropic.id]: [400],
  [channelTypes.ali.id]: [400],
  [channelTypes.gemini.id]: [400],
  [channelTypes.aws.id]: [400],
}

/**
 * Whether an upstream's refusal means the channel will not work again by itself: its key, account or balance is at
 * fault. `keywords` are literal phrases in lower case. `failure.status` is the vendor's own; one such as 429 or 500 does not
 * count by itself.
 */
export const isDisabling = (failure: UpstreamFailure, channelType: number, keywords: readonly string[]): boolean =>
  hasDisablingCode(failure, channelType) || keywordsIn(failure, channelType, keywords).length > 0

function hasDisablingCode({ status, code, type }: UpstreamFailure, channelType: number): boolean {
  if (status === 401 || (status === 403 && channelType === channelTypes.gemini.id)) return true
  return disablingCodes.has(code) || disablingTypes.has(type)
}

/** The keywords that a vendor's words hold where its status refuses the account. */
function keywordsIn({ status, message }: UpstreamFailure, channelType: number, keywords: readonly string[]) {
  if (!refusingStatuses.includes(status) && !furtherStatuses[channelType]?.includes(status)) return []
  const said = message.toLowerCase()
  return keywords.filter((keyword) => said.includes(keyword))
}

/** The keywords are prepared once for each change of the option. */
export function createHealth({
  db,
  registry,
  clock,
  settings,
  failures,
  log,
  notify = () => {},
}: HealthDeps): ChannelHealth {
  const keywords = settings.derive(['AutomaticDisableKeywords'], () =>
    linesOf(settings.get('AutomaticDisableKeywords').toLowerCase()),
  )
  const mayDisable = ({ autoBan }: ActiveChannel) => autoBan && settings.get('AutomaticDisableChannelEnabled')
  const shouldDisable = (channel: ActiveChannel, failure: UpstreamFailure) =>
    mayDisable(channel) && isDisabling(failure, channel.type, keywords())
  /** Keywords that the vendor only repeats say nothing about the channel. */
  const isRepetition = async ({ type }: ActiveChannel, failure: UpstreamFailure, wereAllSent?: WereAllSent) =>
    wereAllSent !== undefined &&
    !hasDisablingCode(failure, type) &&
    (await wereAllSent(keywordsIn(failure, type, keywords())))

  const applyTransition = async (
    id: number,
    work: (transaction: Db) => Promise<StatusTransition>,
  ): Promise<boolean> => {
    const { name, switched, reason, key } = await db.transaction().execute(work)
    if (name === undefined) return false
    const before = registry.enabledModels()
    await registry.reload([id])
    const after = new Set(registry.enabledModels())
    const lastFor = before.filter((model) => !after.has(model))
    log.info('channel switched by the system', { channelId: id, switched, key, reason })
    if (lastFor.length > 0) log.warn('no channel is left for these models', { channelId: id, models: lastFor })
    if (key !== undefined) notify({ kind: 'key-disabled', channelId: id, name, reason, key })
    if (switched === 'enabled') notify({ kind: 'enabled', channelId: id, name, reason })
    if (switched === 'disabled') notify({ kind: 'disabled', channelId: id, name, reason, lastFor })
    return true
  }
  const shown = (id: number, reason: string) => withoutKeys(reason, registry.channel(id))
  const disable = (id: number, reason: string) =>
    applyTransition(id, (transaction) => switchedOff(transaction, id, shown(id, reason), unixSeconds(clock)))
  const disableKey = (key: ActiveChannel, reason: string) =>
    applyTransition(key.id, (transaction) =>
      keySwitchedOff(transaction, key, shown(key.id, reason), unixSeconds(clock)),
    )
  /** As it stands now, with the key that failed; undefined where somebody has given it others since. */
  const current = ({ id, key }: ActiveChannel): ActiveChannel | undefined => {
    const now = registry.channel(id)
    return now?.pool.find(({ channel }) => channel.key === key)?.channel ?? (now?.key === key ? now : undefined)
  }
  return {
    shouldDisable,
    disable,
    enable: (id) =>
      applyTransition(id, (transaction) => switchedOn(transaction, id, registry.channel(id)?.pool.length ?? 0)),
    enableKey: (key) => applyTransition(key.id, (transaction) => keySwitchedOn(transaction, key)),
    async report(channel, failure, wereAllSent) {
      const now = current(channel)
      if (!now || !shouldDisable(now, failure) || (await isRepetition(now, failure, wereAllSent))) return false
      const needed = settings.get('monitor_setting.disable_after_failures')
      const enough = failures.enough(now, needed, settings.get('monitor_setting.disable_within_minutes'))
      if (!(enough instanceof Promise ? await enough : enough)) return false
      const reason = `status code ${failure.status}: ${failure.message}`
      try {
        return await (now.keyId === '' ? disable(now.id, reason) : disableKey(now, reason))
      } catch (error) {
        log.error('channel could not be disabled', { channelId: channel.id, error })
        return false
      }
    },
  }
}

const MAX_REASON_LENGTH = 500

const withoutKeys = (reason: string, channel: ActiveChannel | undefined): string =>
  [channel?.key ?? '', ...(channel?.pool ?? []).map((one) => one.channel.key), ...(channel?.secrets ?? [])]
    .filter((key) => key !== '')
    .reduce((redacted, key) => redacted.replaceAll(key, '***'), reason)
    .slice(0, MAX_REASON_LENGTH)
