import { channelTypes } from '../../../shared/channel-types.ts'
import { linesOf } from '../../../shared/options/lists.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Settings } from '../../settings/settings.ts'
import type { FailureWindow } from '../../shared-state/failure-window.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import type { ChannelEvent } from './event-text.ts'
import { keySwitchedOff, keySwitchedOn, type StatusTransition, switchedOff, switchedOn } from './status-transitions.ts'
import type { UpstreamFailure } from './upstream-failure.ts'

/** Disables failing channels, and enables them again (docs/reference/selection.md#should-disable-rule). */
export interface ChannelHealth {
  /** Whether this failure should disable the channel, and the option and the channel's own setting allow it. */
  shouldDisable(channel: ActiveChannel, failure: UpstreamFailure): boolean
  /**
   * Disables the channel (or, if it has several keys, the one used) if `shouldDisable` is true often enough within a
   * time window. Returns whether it changed anything. Ignores a failure whose keywords only repeat the request; if the
   * request is not trusted, also a failure of a key whose own test succeeds. Never throws.
   */
  report(channel: ActiveChannel, failure: UpstreamFailure, request?: FailedRequest): Promise<boolean>
  /** Disables an enabled channel, with the reason; returns false if it was not enabled. */
  disable(channelId: number, reason: string): Promise<boolean>
  /** Enables a channel the system had disabled; returns false in any other state. */
  enable(channelId: number): Promise<boolean>
  /** Re-enables the key of a pool channel; returns false if the system had not disabled it. */
  enableKey(channel: ActiveChannel): Promise<boolean>
}

/**
 * The request that failed. `wereAllSent` returns whether it contains all these words; `isTrusted` means that an
 * administrator sent it.
 */
type FailedRequest = Readonly<{ wereAllSent: (words: readonly string[]) => Promise<boolean>; isTrusted: boolean }>

type HealthDeps = Readonly<{
  db: Db
  registry: ChannelRegistry
  clock: Clock
  settings: Pick<Settings, 'get' | 'derive'>
  failures: FailureWindow
  /** Whether the key of a channel works, by a test call. */
  isWorking?: (channel: ActiveChannel) => Promise<boolean>
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

/** Statuses by which any vendor rejects an account (RFC 9110 §15.5.2-4, RFC 6585 §4). */
const refusingStatuses = [401, 402, 403, 429]
/**
 * Further statuses that vendors document for such rejections: for used-up credit, an invalid key, or an account in
 * arrears or without access.
 */
const furtherStatuses: Readonly<Record<number, readonly number[]>> = {
  [channelTypes.anthropic.id]: [400],
  [channelTypes.ali.id]: [400],
  [channelTypes.gemini.id]: [400],
  [channelTypes.aws.id]: [400],
}

/**
 * Whether an upstream's error means that the channel will not recover without intervention: its key, account or balance
 * is at fault. `keywords` are literal lower-case phrases. `failure.status` is the vendor's own; statuses such as 429 or
 * 500 are not sufficient by themselves.
 */
export const isDisabling = (failure: UpstreamFailure, channelType: number, keywords: readonly string[]): boolean =>
  hasDisablingCode(failure, channelType) || keywordsIn(failure, channelType, keywords).length > 0

function hasDisablingCode({ status, code, type, message }: UpstreamFailure, channelType: number): boolean {
  if (status === 401) return true
  if (REMAINDER.test(message.slice(0, MAX_READ))) return false
  if (status === 403 && channelType === channelTypes.gemini.id) return true
  return disablingCodes.has(code) || disablingTypes.has(type)
}

/** A positive remainder that only this request exceeds: new-api's quota in either language, OpenRouter's credits. */
const REMAINDER = /(?:remain quota|剩余额度)[:：]\s?[$＄¥￥]?(?!0+(?:\.0+)?\.?(?![.\d]))\d|can only afford [1-9]/i
const MAX_READ = 2048

function keywordsIn({ status, message }: UpstreamFailure, channelType: number, keywords: readonly string[]) {
  if (!refusingStatuses.includes(status) && !furtherStatuses[channelType]?.includes(status)) return []
  const lowerCase = message.toLowerCase()
  return keywords.filter((keyword) => lowerCase.includes(keyword))
}

/** Keywords are parsed once per change of the option. */
export function createHealth({
  db,
  registry,
  clock,
  settings,
  failures,
  isWorking = async () => false,
  log,
  notify = () => {},
}: HealthDeps): ChannelHealth {
  const keywords = settings.derive(['AutomaticDisableKeywords'], () =>
    linesOf(settings.get('AutomaticDisableKeywords').toLowerCase()),
  )
  const mayDisable = ({ autoBan }: ActiveChannel) => autoBan && settings.get('AutomaticDisableChannelEnabled')
  const shouldDisable = (channel: ActiveChannel, failure: UpstreamFailure) =>
    mayDisable(channel) && isDisabling(failure, channel.type, keywords())
  /** Whether a failure only repeats keywords from the request, which is not the channel's fault. */
  const isRepetition = async ({ type }: ActiveChannel, failure: UpstreamFailure, request?: FailedRequest) =>
    request !== undefined &&
    !hasDisablingCode(failure, type) &&
    (await request.wereAllSent(keywordsIn(failure, type, keywords())))

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
  const redactReason = (id: number, reason: string) => withoutKeys(reason, registry.channel(id))
  const disable = (id: number, reason: string) =>
    applyTransition(id, (transaction) => switchedOff(transaction, id, redactReason(id, reason), unixSeconds(clock)))
  const disableKey = (key: ActiveChannel, reason: string) =>
    applyTransition(key.id, (transaction) =>
      keySwitchedOff(transaction, key, redactReason(key.id, reason), unixSeconds(clock)),
    )
  /** The current channel with the key that failed; undefined if its keys were replaced meanwhile. */
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
    async report(channel, failure, request) {
      const now = current(channel)
      if (!now || !shouldDisable(now, failure) || (await isRepetition(now, failure, request))) return false
      const minFailures = settings.get('monitor_setting.disable_after_failures')
      const isEnough = failures.enough(now, minFailures, settings.get('monitor_setting.disable_within_minutes'))
      if (!(isEnough instanceof Promise ? await isEnough : isEnough)) return false
      if (request?.isTrusted === false && (await isWorking(now))) return false
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
