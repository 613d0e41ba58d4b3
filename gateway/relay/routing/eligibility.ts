import { channelStatus } from '../../../shared/enums.ts'
import type { Cooldown, CooldownQuery, Cooldowns } from '../../channels/health/cooldowns.ts'
import type { InFlight } from '../../channels/health/in-flight.ts'
import type { ActiveChannel, PoolKey } from '../../channels/registry/active-channel.ts'
import type { Call } from '../model/call.ts'
import type { Ineligibility } from '../model/outcome.ts'
import type { PromptDeps } from '../tokenizer/prompt-size.ts'
import { canOffer, isTooLong } from '../upstream/send.ts'

/** The channel with the key to use, or the reason that it is ineligible. */
export type Eligibility =
  | Readonly<{ channel: ActiveChannel }>
  /** `lastResort`: the channel cools down after mere failures, and may be tried if nothing else is left. */
  | Readonly<{ reason: Ineligibility; cooldown?: Cooldown; lastResort?: ActiveChannel | undefined }>

export type EligibilityDeps = PromptDeps &
  Readonly<{ cooldowns: Cooldowns; inFlight: InFlight; openSessions: InFlight }>

/** The slots that a call takes: sessions, which may be idle for an hour, take none of those of requests. */
export const slotsFor = ({ inFlight, openSessions }: EligibilityDeps, { endpoint }: Call): InFlight =>
  endpoint === 'realtime' || endpoint === 'live' ? openSessions : inFlight

type EligibilityRequest = Readonly<{
  call: Call
  routed: CooldownQuery
  /** A fraction in [0, 1) that chooses among equal keys, so that a conversation keeps its key. */
  hashFraction: number
  /** No other channel may serve the call: this one is used even while cooling down. */
  isForced: boolean
  except: readonly string[]
  /** Tokens of the prompt, if known; else it is measured. */
  promptTokens?: number | undefined
}>

/**
 * Whether a channel is eligible now, with which key, or why not (docs/reference/selection.md#eligibility,
 * docs/reference/selection.md#cooldowns). Has no side effects.
 */
export function evaluate(deps: EligibilityDeps, channel: ActiveChannel, request: EligibilityRequest): Eligibility {
  const { call, routed, isForced } = request
  if (!canOffer(channel, call)) return { reason: 'unsupported' }
  if (isTooLong(deps, channel, call, request.promptTokens)) return { reason: 'prompt_too_long' }
  const cooldown = isForced ? undefined : deps.cooldowns.of(channel.id, routed)
  if (cooldown)
    return cooldown.kind === 'limited'
      ? { reason: 'limited', cooldown }
      : { reason: 'cooldown', cooldown, lastResort: channel.pool.length > 0 ? firstKey(channel) : channel }
  if (slotsFor(deps, call).isFull(channel, routed.accountId)) return { reason: 'at_capacity' }
  return channel.pool.length > 0 ? evaluateKeys(deps.cooldowns, channel.pool, request) : { channel }
}

const firstKey = ({ pool }: ActiveChannel): ActiveChannel | undefined => pool.find(isOn)?.channel

const isOn = ({ status }: PoolKey): boolean => status === channelStatus.enabled

/**
 * Returns the first key, from the one at `hashFraction` on, that is enabled and not cooling down. Without one, the last
 * resort is the key whose cooldown after mere failures ends first.
 */
function evaluateKeys(
  cooldowns: Cooldowns,
  pool: readonly PoolKey[],
  { routed, hashFraction, isForced, except }: EligibilityRequest,
): Eligibility {
  const on = pool.filter((key) => isOn(key) && !except.includes(key.channel.keyId))
  const start = Math.floor(hashFraction * on.length)
  let soonest: Cooldown | undefined
  let failing: Readonly<{ channel: ActiveChannel; cooldown: Cooldown }> | undefined
  for (let step = 0; step < on.length; step += 1) {
    const channel = on[(start + step) % on.length]?.channel
    if (!channel) break
    const cooldown = isForced ? undefined : cooldowns.ofKey(channel, routed)
    if (!cooldown) return { channel }
    if (!soonest || cooldown.seconds < soonest.seconds) soonest = cooldown
    if (cooldown.kind === 'failing' && (!failing || cooldown.seconds < failing.cooldown.seconds))
      failing = { channel, cooldown }
  }
  if (failing) return { reason: 'no_key', cooldown: failing.cooldown, lastResort: failing.channel }
  return soonest ? { reason: 'no_key', cooldown: soonest } : { reason: 'no_key' }
}
