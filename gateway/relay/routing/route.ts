import { GatewayError, refuse } from '../../base/errors.ts'
import { randomFraction } from '../../base/ids.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Affinity } from '../../channels/health/affinity.ts'
import type { ChannelHealth } from '../../channels/health/health.ts'
import type { Member } from '../../channels/registry/picker.ts'
import { ruleOf, type Setback } from '../../channels/health/cooldown-policy.ts'
import { type Moment, type Rest, type Standing, secondsUntil } from '../../channels/health/cooldowns.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Plan } from '../admission/admit.ts'
import type { Arrival } from '../model/request-context.ts'
import { withoutSecrets } from '../delivery/error-body.ts'
import type { Attempt, Skipped } from '../metering/log-row.ts'
import { canOffer } from '../upstream/send.ts'
import type { Ending } from '../delivery/stream.ts'
import type { Call } from '../intake/parse.ts'
import { unserved } from './no-route.ts'
import { isRetryable, UpstreamError } from '../upstream/upstream-error.ts'
import { Draw, drawnOut, type Looker } from './draw.ts'
import { type JudgeDeps, type Judgement, judge } from './eligibility.ts'
import { wasSent } from './sent-words.ts'

export type RouteDeps = JudgeDeps &
  Readonly<{ health: ChannelHealth; affinity: Affinity; settings: Pick<Settings, 'get'> }>

/** What became of the channels so far; the log row is made of it. */
export type Tried = { attempts: Attempt[]; skipped: Skipped[]; channel?: ActiveChannel }

const MOST_SKIPPED = 50
const LONGEST_REASON = 300

/**
 * The way of one request through the channels: best priority first, no channel twice, at most 1 + RetryTimes (spec/relay.md
 * §4.2, §4.4). Those that cannot be asked now are passed over, with the reason written down. Another key of a channel
 * whose first one was refused, and channels that rest for mere failures, are asked when nothing else is left.
 */
export class Route implements Looker {
  readonly #deps: RouteDeps
  readonly #call: Call
  readonly #plan: Plan
  readonly #tried: Tried
  readonly #conversation: string | undefined
  readonly #tries: number
  readonly #lot: number
  readonly #seen = new Set<number>()
  readonly #keys: string[] = []
  readonly #again: number[] = []
  readonly #draw: Draw
  readonly #failing: Member[] = []
  readonly #anyway: ActiveChannel[] = []
  #limited: Rest | undefined
  #isFull = false
  #last: unknown
  #asked: ActiveChannel | undefined

  /** `conversation` names what the call continues, where that is known. */
  constructor(deps: RouteDeps, call: Call, plan: Plan, tried: Tried, conversation: string | undefined) {
    this.#deps = deps
    this.#call = call
    this.#plan = plan
    this.#tried = tried
    this.#conversation = conversation
    this.#tries = triesOf(deps.settings, plan)
    this.#lot = conversation === undefined ? randomFraction() : fractionOf(conversation)
    this.#draw = new Draw(plan.forced ? [] : plan.tiers)
  }

  /** The channel to be asked now, with its key; undefined when there is none, for which `refusal` has the reason. */
  next(): ActiveChannel | undefined {
    if (this.#tried.attempts.length >= this.#tries) return undefined
    const first = this.#seen.size === 0 ? this.#first() : undefined
    const found = first && this.look({ channel: first, weight: first.weight })
    return found ?? this.#draw.next(this) ?? this.#anotherKey() ?? this.#unrested()
  }

  /** Whether the request has looked at a channel already. */
  hasSeen(id: number): boolean {
    return this.#seen.has(id)
  }

  /** Looks at a channel for the first time: with the key to be asked, or undefined with the reason written down. */
  look(member: Member): ActiveChannel | undefined {
    this.#seen.add(member.channel.id)
    const judgement = this.#judge(member.channel)
    if ('channel' in judgement) return judgement.channel
    this.#pass(member, judgement)
    return undefined
  }

  /** The rests of the model now. */
  moment(): Moment {
    return this.#deps.rests.moment(this.#call.model)
  }

  /** Whether a channel may be asked at this moment; one that may not is not looked at again. */
  isOpen(member: Member, { standing, nowMs }: Moment): boolean {
    const { channel } = member
    const rest = standing(channel.id)
    if (rest && this.#tried.skipped.length >= MOST_SKIPPED) {
      this.#rest(member, rest, nowMs)
      return false
    }
    const judgement = this.#judge(channel)
    if ('channel' in judgement) return true
    this.#seen.add(channel.id)
    this.#pass(member, judgement)
    return false
  }

  /** A request to the channel begins; `failed` or `end` ends it. */
  begin(channel: ActiveChannel): void {
    this.#asked = channel
    this.#tried.channel = channel
    if (channel.keyId !== '') this.#keys.push(channel.keyId)
    this.#deps.rests.asked(channel, this.#call.model)
    this.#deps.inFlight.enter(channel.id)
  }

  /** It answers; its place stays taken until `end`. */
  answered(channel: ActiveChannel): void {
    this.#deps.rests.answered(channel, this.#call.model)
    if (this.#conversation !== undefined) this.#deps.affinity.served(this.#conversation, channel.id)
    this.#tried.attempts.push(attemptOf(channel))
  }

  /** It does not: notes what that says of it, nothing where the caller is gone. Answers whether another one may be asked. */
  async failed(channel: ActiveChannel, error: unknown, arrival: Arrival): Promise<boolean> {
    this.end()
    this.#last = error
    const { rests, health } = this.#deps
    if (arrival.patience.over || !(error instanceof UpstreamError)) {
      rests.failed(channel, this.#call.model, NO_SETBACK)
      if (isRefusal(error)) return true
      this.#tried.attempts.push(attemptOf(channel, error))
      return false
    }
    const { status, vendorStatus, code, type, transport, retryAfter } = error
    const message = withoutSecrets(error.message, channel)
    const setback = { status, transport, retryAfter, message }
    rests.failed(channel, this.#call.model, setback)
    if (channel.keyId !== '' && ruleOf(setback)?.isKeys) this.#again.push(channel.id)
    this.#tried.attempts.push(attemptOf(channel, error))
    if (!transport) {
      const said = { status: vendorStatus, code, type, message }
      await health.report(channel, said, (words) => wasSent({ call: this.#call, arrival }, words))
    }
    return isRetryable(error, channel.type)
  }

  /** How the answer ended: a channel that breaks off its answers is left alone for a while, too. */
  delivered(ending: Ending): void {
    const channel = this.#asked
    if (!channel) return
    const { rests } = this.#deps
    if (ending === 'complete' || ending === 'filtered') rests.served(channel, this.#call.model)
    const setback = setbacks[ending]
    if (setback) rests.failed(channel, this.#call.model, setback)
  }

  /** The request over the channel is through. */
  end(): void {
    if (this.#asked) this.#deps.inFlight.leave(this.#asked.id)
    this.#asked = undefined
  }

  /** Why there is no answer: the last failure, else why nobody could be asked. */
  refusal(): unknown {
    if (this.#last !== undefined) return this.#last
    const { group } = this.#plan
    if (this.#limited) return saturated(group, this.#limited.status, this.#limited.seconds)
    return this.#isFull ? saturated(group, 503, 1) : unserved(this.#plan, this.#call)
  }

  /** The forced channel, or the one that knows the conversation. */
  #first(): ActiveChannel | undefined {
    const { forced, tiers } = this.#plan
    if (forced || this.#conversation === undefined) return forced ?? undefined
    return this.#deps.affinity.preferred(this.#conversation, tiers)
  }

  #judge(channel: ActiveChannel): Judgement {
    const isForced = this.#plan.forced !== null
    return judge(this.#deps, channel, { call: this.#call, lot: this.#lot, isForced, except: this.#keys })
  }

  #pass(member: Member, judgement: Exclude<Judgement, { channel: ActiveChannel }>): void {
    const { why, rest, anyway } = judgement
    const { id } = member.channel
    const { skipped } = this.#tried
    if (skipped.length < MOST_SKIPPED)
      skipped.push(rest ? { channel: id, why, status: rest.status, seconds: rest.seconds } : { channel: id, why })
    if (anyway) this.#failing.push(member)
    else if (rest) this.#limit(rest)
    if (why === 'full') this.#isFull = true
  }

  /** One more that rests, of more than are written down. */
  #rest(member: Member, { kind, status, untilMs }: Standing, nowMs: number): void {
    if (kind === 'failing') return void this.#failing.push(member)
    const seconds = secondsUntil(untilMs, nowMs)
    const isSooner = !this.#limited || seconds < this.#limited.seconds
    if (isSooner && canOffer(member.channel, this.#call)) this.#limited = { kind, status, seconds }
  }

  #limit(rest: Rest): void {
    if (!this.#limited || rest.seconds < this.#limited.seconds) this.#limited = rest
  }

  /** One that rests for mere failures, drawn by weight among those of the best priority; then other keys that do. */
  #unrested(): ActiveChannel | undefined {
    for (let member = drawnOut(this.#failing); member; member = drawnOut(this.#failing)) {
      const judgement = this.#judge(member.channel)
      const channel = 'channel' in judgement ? judgement.channel : judgement.anyway
      if (channel) return channel
    }
    return this.#anyway.shift()
  }

  /** A key that has not been asked, of a channel whose other key was refused. */
  #anotherKey(): ActiveChannel | undefined {
    for (let id = this.#again.shift(); id !== undefined; id = this.#again.shift()) {
      const channel = this.#offered(id)
      const judgement = channel && this.#judge(channel)
      if (judgement && 'channel' in judgement) return judgement.channel
      if (judgement?.anyway) this.#anyway.push(judgement.anyway)
    }
    return undefined
  }

  /** The channel with all its keys, as it stood when the request came. */
  #offered(id: number): ActiveChannel | undefined {
    for (const { members } of this.#plan.tiers) for (const { channel } of members) if (channel.id === id) return channel
    return undefined
  }
}

/** How many channels may be asked for one request. */
export const triesOf = (settings: Pick<Settings, 'get'>, { forced }: Pick<Plan, 'forced'>): number =>
  forced ? 1 : settings.get('RetryTimes') + 1

/** What went wrong was not the channel's doing. */
const NO_SETBACK = { status: 0, transport: false } as const

/** Every channel that could be asked has said when to come back, or has no place left. */
const saturated = (group: string, status: number, retryAfterSeconds: number): GatewayError =>
  refuse(
    status === 429 ? 'limited' : 'unavailable',
    'relay.saturated',
    { group },
    { code: 'channels_saturated', retryAfterSeconds },
  )

/** Endings that are the channel's doing, in words for the console; an error the vendor tells of may be the prompt's, once. */
const setbacks: Readonly<Partial<Record<Ending, Setback>>> = {
  'upstream-broken': { status: 0, transport: false, isCut: true, message: 'an answer broke off' },
  'upstream-timeout': { status: 0, transport: false, isCut: true, message: 'an answer stood still' },
  'upstream-error': { status: 502, transport: false, message: 'an answer ended with an error' },
}

/** What one channel's dialect cannot be told another's may be: nobody was asked yet. */
const isRefusal = (error: unknown): boolean => error instanceof GatewayError && error.code === 'convert_request_failed'

function attemptOf(channel: ActiveChannel, error?: unknown): Attempt {
  const asked = channel.keyPosition > 0 ? { channel: channel.id, key: channel.keyPosition } : { channel: channel.id }
  if (error instanceof UpstreamError) {
    const reason = withoutSecrets(error.message, channel).slice(0, LONGEST_REASON)
    return { ...asked, status: error.status, reason }
  }
  return error instanceof GatewayError ? { ...asked, status: error.status } : asked
}

/** The same fraction in [0, 1) for the same text (FNV-1a). */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0) / 0x1_0000_0000
}
