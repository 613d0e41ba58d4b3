import { channelStatus } from '../../../shared/enums.ts'
import type { ActiveChannel, PoolKey } from '../../channels/registry/active-channel.ts'
import type { InFlight } from '../../channels/health/in-flight.ts'
import type { Rest, Rests } from '../../channels/health/cooldowns.ts'
import type { PromptDeps } from '../tokens/prompt-size.ts'
import { canOffer, isTooLong } from '../upstream/send.ts'
import type { Call } from '../intake/parse.ts'

/**
 * Why a channel is passed over: its vendor cannot answer the endpoint (`elsewhere`), the prompt is longer than its limit,
 * all its places are taken, it or what it is asked for rests (`resting` after failures, `limited` on its vendor's word),
 * or all its keys are off or rest.
 */
export type Why = 'elsewhere' | 'long' | 'full' | 'resting' | 'limited' | 'keyless'

/** The channel as it is to be asked, with one of its keys; or what stands against that. */
export type Judgement =
  | Readonly<{ channel: ActiveChannel }>
  /** `anyway` may be asked where nothing else is left: it only failed. */
  | Readonly<{ why: Why; rest?: Rest; anyway?: ActiveChannel | undefined }>

export type JudgeDeps = PromptDeps & Readonly<{ rests: Rests; inFlight: InFlight }>

/** What is asked for, by whom. */
export type Question = Readonly<{
  call: Call
  /** Chooses among equal keys, so that a conversation keeps its key; a fraction in [0, 1). */
  lot: number
  /** An administrator wants this channel: it is asked though it rests. */
  isForced: boolean
  /** Keys that were asked before. */
  except: readonly string[]
  /** Tokens of the prompt where they are known; else it is measured. */
  promptTokens?: number
}>

/** Whether a channel can be asked now, with which key, and why not (spec/relay.md §4.2, §4.4). Asks nobody, changes nothing. */
export function judge(deps: JudgeDeps, channel: ActiveChannel, question: Question): Judgement {
  const { call, isForced } = question
  if (!canOffer(channel, call)) return { why: 'elsewhere' }
  if (isTooLong(deps, channel, call, question.promptTokens)) return { why: 'long' }
  const rest = isForced ? undefined : deps.rests.of(channel.id, call.model)
  if (rest)
    return rest.kind === 'limited'
      ? { why: 'limited', rest }
      : { why: 'resting', rest, anyway: channel.pool.length > 0 ? firstKey(channel) : channel }
  if (deps.inFlight.isFull(channel)) return { why: 'full' }
  return channel.pool.length > 0 ? judgeKeys(deps.rests, channel.pool, question) : { channel }
}

const firstKey = ({ pool }: ActiveChannel): ActiveChannel | undefined => pool.find(isOn)?.channel

const isOn = ({ status }: PoolKey): boolean => status === channelStatus.enabled

/** The first key from the drawn one on that is on and does not rest; else the one whose rest ends first. */
function judgeKeys(rests: Rests, pool: readonly PoolKey[], { call, lot, isForced, except }: Question): Judgement {
  const on = pool.filter((key) => isOn(key) && !except.includes(key.channel.keyId))
  const start = Math.floor(lot * on.length)
  let soonest: Rest | undefined
  let failing: Readonly<{ channel: ActiveChannel; rest: Rest }> | undefined
  for (let step = 0; step < on.length; step += 1) {
    const channel = on[(start + step) % on.length]?.channel
    if (!channel) break
    const rest = isForced ? undefined : rests.ofKey(channel, call.model)
    if (!rest) return { channel }
    if (!soonest || rest.seconds < soonest.seconds) soonest = rest
    if (rest.kind === 'failing' && (!failing || rest.seconds < failing.rest.seconds)) failing = { channel, rest }
  }
  if (failing) return { why: 'keyless', rest: failing.rest, anyway: failing.channel }
  return soonest ? { why: 'keyless', rest: soonest } : { why: 'keyless' }
}
