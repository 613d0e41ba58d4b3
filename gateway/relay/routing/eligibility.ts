import { channelStatus } from '../../../shared/enums.ts'
import type { Cooldown, Cooldowns } from '../../channels/health/cooldowns.ts'
import type { InFlight } from '../../channels/health/in-flight.ts'
import type { ActiveChannel, PoolKey } from '../../channels/registry/active-channel.ts'
import type { Call } from '../model/call.ts'
import type { Ineligibility } from '../model/outcome.ts'
import type { PromptDeps } from '../tokenizer/prompt-size.ts'
import { canOffer, isTooLong } from '../upstream/send.ts'

/** The channel as it is to be asked, with one of its keys; or what stands against that. */
export type Eligibility =
  | Readonly<{ channel: ActiveChannel }>
  /** `lastResort` may be asked where nothing else is left: it only failed. */
  | Readonly<{ reason: Ineligibility; cooldown?: Cooldown; lastResort?: ActiveChannel | undefined }>

export type EligibilityDeps = PromptDeps & Readonly<{ cooldowns: Cooldowns; inFlight: InFlight }>

/** What is asked for, by whom. */
type EligibilityRequest = Readonly<{
  call: Call
  /** Chooses among equal keys, so that a conversation keeps its key; a fraction in [0, 1). */
  hashFraction: number
  /** An administrator wants this channel: it is asked though it is cooling down. */
  isForced: boolean
  /** Keys that were asked before. */
  except: readonly string[]
  /** Tokens of the prompt where they are known; else it is measured. */
  promptTokens?: number | undefined
}>

/**
 * Whether a channel can be asked now, with which key, and why not (docs/reference/selection.md#eligibility,
 * docs/reference/selection.md#cooldowns). Asks nobody, changes nothing.
 */
export function evaluate(deps: EligibilityDeps, channel: ActiveChannel, asked: EligibilityRequest): Eligibility {
  const { call, isForced } = asked
  if (!canOffer(channel, call)) return { reason: 'unsupported' }
  if (isTooLong(deps, channel, call, asked.promptTokens)) return { reason: 'prompt_too_long' }
  const cooldown = isForced ? undefined : deps.cooldowns.of(channel.id, call.model)
  if (cooldown)
    return cooldown.kind === 'limited'
      ? { reason: 'limited', cooldown }
      : { reason: 'cooldown', cooldown, lastResort: channel.pool.length > 0 ? firstKey(channel) : channel }
  if (deps.inFlight.isFull(channel)) return { reason: 'at_capacity' }
  return channel.pool.length > 0 ? evaluateKeys(deps.cooldowns, channel.pool, asked) : { channel }
}

const firstKey = ({ pool }: ActiveChannel): ActiveChannel | undefined => pool.find(isOn)?.channel

const isOn = ({ status }: PoolKey): boolean => status === channelStatus.enabled

/** The first key from the drawn one on that is on and not cooling down; else the one whose cooldown ends first. */
function evaluateKeys(
  cooldowns: Cooldowns,
  pool: readonly PoolKey[],
  { call, hashFraction, isForced, except }: EligibilityRequest,
): Eligibility {
  const on = pool.filter((key) => isOn(key) && !except.includes(key.channel.keyId))
  const start = Math.floor(hashFraction * on.length)
  let soonest: Cooldown | undefined
  let failing: Readonly<{ channel: ActiveChannel; cooldown: Cooldown }> | undefined
  for (let step = 0; step < on.length; step += 1) {
    const channel = on[(start + step) % on.length]?.channel
    if (!channel) break
    const cooldown = isForced ? undefined : cooldowns.ofKey(channel, call.model)
    if (!cooldown) return { channel }
    if (!soonest || cooldown.seconds < soonest.seconds) soonest = cooldown
    if (cooldown.kind === 'failing' && (!failing || cooldown.seconds < failing.cooldown.seconds))
      failing = { channel, cooldown }
  }
  if (failing) return { reason: 'no_key', cooldown: failing.cooldown, lastResort: failing.channel }
  return soonest ? { reason: 'no_key', cooldown: soonest } : { reason: 'no_key' }
}
