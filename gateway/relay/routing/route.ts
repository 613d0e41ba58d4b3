import { role } from '../../../shared/enums.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { randomFraction } from '../../base/ids.ts'
import { SMALL } from '../../base/json/json-scan.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { type ChannelFailure, ruleOf } from '../../channels/health/cooldown-policy.ts'
import {
  type ActiveCooldown,
  type Cooldown,
  type CooldownSnapshot,
  type RoutedRequest,
  secondsUntil,
} from '../../channels/health/cooldowns.ts'
import type { ChannelHealth } from '../../channels/health/health.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { TierMember } from '../../channels/registry/picker.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Affinity } from '../../shared-state/affinity.ts'
import { noChannel } from '../admission/admit.ts'
import { outputInError } from '../metering/output-in-errors.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import type { Attempt, Attempts, Ending } from '../model/outcome.ts'
import { offeredIn, type Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import { providerFor } from '../providers/index.ts'
import { measured, promptSize } from '../tokenizer/prompt-size.ts'
import { withoutSecrets } from '../upstream/redaction.ts'
import { canOffer } from '../upstream/send.ts'
import { upstreamEndpointFor } from '../upstream/upstream-endpoint.ts'
import { isOverflow, isRetryable, UpstreamError } from '../upstream/upstream-error.ts'
import { Draw, drawnOut, type EligibilitySource } from './draw.ts'
import { wereAllSent } from './echoed-text.ts'
import { type Eligibility, type EligibilityDeps, evaluate, slotsFor } from './eligibility.ts'
import { isDueToCall } from './request-faults.ts'

export type RouteDeps = EligibilityDeps &
  Readonly<{ health: ChannelHealth; affinity: Affinity; settings: Pick<Settings, 'get'> }>

/** The conversation that a call continues, and the id of the channel that last served it, if known. */
type KnownConversation = Readonly<{ key: string; servedBy: number | undefined }>

/** Looks up the channel that last served the conversation, unless a channel is forced. */
export function knownConversation(
  { affinity }: Pick<RouteDeps, 'affinity'>,
  key: string | undefined,
  { forced }: Pick<Plan, 'forced'>,
): MaybePromise<KnownConversation | undefined> {
  if (key === undefined) return undefined
  if (forced) return { key, servedBy: undefined }
  const found = affinity.channelOf(key)
  return found instanceof Promise ? found.then((servedBy) => ({ key, servedBy })) : { key, servedBy: found }
}

type RoutedCaller = Pick<Caller, 'account' | 'isGuest'>
type RoutedPlan = Pick<Plan, 'group' | 'tiers' | 'forced' | 'expected' | 'extras'>

const MAX_SKIPPED = 50
const MAX_REASON_LENGTH = 300

/**
 * The path of one request through the channels: best priority first, at most 1 + RetryTimes attempts
 * (docs/reference/selection.md#order, docs/reference/selection.md#cooldowns). Skips ineligible channels and records
 * why. Another key of a channel whose first key was refused, and channels that cool down after mere failures, are tried
 * last.
 */
export class Route implements EligibilitySource {
  readonly #deps: RouteDeps
  readonly #call: Call
  readonly #plan: RoutedPlan
  readonly #tried: Attempts
  readonly #conversation: KnownConversation | undefined
  readonly #caller: RoutedCaller
  readonly #tries: number
  readonly #hashFraction: number
  readonly #seen = new Set<number>()
  readonly #keys: string[] = []
  readonly #channelsWithOtherKeys: number[] = []
  readonly #draw: Draw
  readonly #request: RoutedRequest
  readonly #failing: TierMember[] = []
  readonly #lastResorts: ActiveChannel[] = []
  #limited: Cooldown | undefined
  #isFull = false
  /** The highest prompt limit, in tokens, of the channels skipped because this prompt is too long. */
  #longestTaken = 0
  #last: unknown
  #called: ActiveChannel | undefined

  constructor(
    deps: RouteDeps,
    call: Call,
    plan: RoutedPlan,
    tried: Attempts,
    conversation: KnownConversation | undefined,
    caller: RoutedCaller,
  ) {
    this.#deps = deps
    this.#call = call
    this.#plan = plan
    this.#tried = tried
    this.#conversation = conversation
    this.#caller = caller
    this.#tries = triesOf(deps.settings, plan)
    this.#hashFraction = conversation === undefined ? randomFraction() : fractionOf(conversation.key)
    this.#request = routedRequest(call, plan, caller.account.id)
    this.#draw = new Draw(plan.forced ? [] : plan.tiers)
  }

  /** Measures a long prompt before `next`, if a channel limits prompts; undefined if there is nothing to wait for. */
  prepare(): Promise<void> | undefined {
    if (this.#call.bytes.length <= SMALL) return undefined
    const needsSize = offeredIn(this.#plan).some(({ maxInputTokens }) => maxInputTokens > 0)
    return needsSize ? measured(this.#deps, this.#call) : undefined
  }

  /** The channel to try next, with its key; undefined if no channel or attempt is left: `refusal` has the reason. */
  next(): ActiveChannel | undefined {
    if (this.#tried.attempts.length >= this.#tries) return undefined
    const first = this.#seen.size === 0 ? this.#first() : undefined
    const found = first && this.look({ channel: first, weight: first.weight })
    return found ?? this.#draw.next(this) ?? this.#anotherKey() ?? this.#nextCoolingDown()
  }

  hasSeen(id: number): boolean {
    return this.#seen.has(id)
  }

  /** Evaluates a channel and marks it as seen: returns it with a key, or undefined after recording the reason. */
  look(member: TierMember): ActiveChannel | undefined {
    this.#seen.add(member.channel.id)
    const eligibility = this.#evaluate(member.channel)
    if ('channel' in eligibility) return eligibility.channel
    this.#skip(member, eligibility)
    return undefined
  }

  moment(): CooldownSnapshot {
    return this.#deps.cooldowns.moment(this.#request)
  }

  /** Returns whether a channel is eligible at this moment; records why an ineligible one is skipped. */
  consider(member: TierMember, { active, nowMs }: CooldownSnapshot): boolean {
    const { channel } = member
    const cooldown = active(channel.id)
    if (cooldown && this.#tried.skipped.length >= MAX_SKIPPED) {
      this.#cooldown(member, cooldown, nowMs)
      return false
    }
    const eligibility = this.#evaluate(channel)
    if ('channel' in eligibility) return true
    this.#seen.add(channel.id)
    this.#skip(member, eligibility)
    return false
  }

  /** Starts a request to the channel; `failed` or `end` ends it. */
  begin(channel: ActiveChannel): void {
    this.#called = channel
    this.#tried.channel = channel
    if (channel.keyId !== '') this.#keys.push(channel.keyId)
    this.#deps.cooldowns.requested(channel, this.#call.model)
    slotsFor(this.#deps, this.#call).enter(channel.id, this.#request.accountId)
  }

  /** Records a response; the channel's slot stays taken until `end`. */
  answered(channel: ActiveChannel): void {
    this.#deps.cooldowns.answered(channel, this.#call.model)
    if (this.#conversation) this.#deps.affinity.served(this.#conversation.key, channel.id)
    this.#tried.attempts.push(attemptOf(channel))
  }

  /**
   * Records a failure, against the channel unless the caller left or the failure is due to the call. Returns whether
   * another channel may be tried.
   */
  async failed(channel: ActiveChannel, error: unknown, context: RequestContext): Promise<boolean> {
    this.end()
    this.#last = error
    const { cooldowns, health } = this.#deps
    if (context.cancellation.over || !(error instanceof UpstreamError)) {
      cooldowns.failed(channel, this.#request, NO_FAILURE)
      if (isRefusal(error)) return true
      this.#tried.attempts.push(attemptOf(channel, error))
      return false
    }
    const isCallersFault = await isDueToCall(error, this.#call)
    const goesOn = this.#refused(channel, error, isCallersFault)
    if (!error.transport && !isCallersFault) {
      const { vendorStatus, code, type } = error
      const logged = { status: vendorStatus, code, type, message: withoutSecrets(error.message, channel) }
      await health.report(channel, logged, {
        wereAllSent: (words) => wereAllSent({ call: this.#call, context }, words),
        isTrusted: !this.#caller.isGuest && this.#caller.account.role >= role.admin,
      })
    }
    return goesOn
  }

  /** Applies an upstream's refusal: a cooldown, or another key. Returns whether another channel may be tried. */
  #refused(channel: ActiveChannel, error: UpstreamError, isCallersFault: boolean): boolean {
    const { status, transport, retryAfter } = error
    const message = withoutSecrets(error.message, channel)
    const failure = isCallersFault ? NO_FAILURE : { status, transport, retryAfter, message }
    this.#deps.cooldowns.failed(channel, this.#request, failure)
    if (channel.keyId !== '' && ruleOf(failure)?.isKeys) this.#channelsWithOtherKeys.push(channel.id)
    this.#tried.attempts.push(attemptOf(channel, error))
    return isRetryable(error, channel.type)
  }

  /**
   * Records how the response ended, and the error that its vendor sent within it: a channel that breaks off responses
   * cools down too, unless the error is due to the caller's prompt, schema or tools.
   */
  delivered(ending: Ending, vendorError?: UpstreamError): void {
    const channel = this.#called
    if (!channel) return
    const { cooldowns } = this.#deps
    if (ending === 'complete' || ending === 'filtered') cooldowns.served(channel, this.#call.model)
    const isCallersFault =
      vendorError && (isOverflow(vendorError) || outputInError(vendorError.body ?? {}) !== undefined)
    const failure = isCallersFault ? undefined : failures[ending]
    if (failure) cooldowns.failed(channel, this.#request, failure)
  }

  end(): void {
    if (this.#called) slotsFor(this.#deps, this.#call).leave(this.#called.id, this.#request.accountId)
    this.#called = undefined
  }

  /** The last failure, or else why no channel was eligible. */
  refusal(): unknown {
    if (this.#last !== undefined) return this.#last
    const { group } = this.#plan
    if (this.#limited) return saturated(group, this.#limited.status, this.#limited.seconds)
    if (this.#isFull) return saturated(group, 503, 1)
    return this.#longestTaken > 0 ? this.#tooLong(this.#longestTaken) : noRoute(this.#plan, this.#call)
  }

  /**
   * A refusal in the vendors' form, so that clients shorten the conversation
   * (docs/reference/errors.md#context-overflow).
   */
  #tooLong(limit: number): GatewayError {
    const tokens = promptSize(this.#deps, this.#call)
    return refuse('invalid', 'relay.promptTooLong', { tokens, limit }, { code: 'context_length_exceeded' })
  }

  /** The forced channel, or the one that served the conversation. */
  #first(): ActiveChannel | undefined {
    const { forced } = this.#plan
    const servedBy = this.#conversation?.servedBy
    if (forced || servedBy === undefined) return forced ?? undefined
    return this.#offered(servedBy)
  }

  #evaluate(channel: ActiveChannel): Eligibility {
    const isForced = this.#plan.forced !== null
    return evaluate(this.#deps, channel, {
      call: this.#call,
      routed: this.#request,
      hashFraction: this.#hashFraction,
      isForced,
      except: this.#keys,
    })
  }

  #skip(member: TierMember, eligibility: Exclude<Eligibility, { channel: ActiveChannel }>): void {
    const { reason, cooldown, lastResort } = eligibility
    const { id } = member.channel
    const { skipped } = this.#tried
    if (skipped.length < MAX_SKIPPED)
      skipped.push(
        cooldown
          ? { channel: id, reason, status: cooldown.status, seconds: cooldown.seconds }
          : { channel: id, reason },
      )
    if (lastResort) this.#failing.push(member)
    else if (cooldown) this.#limit(cooldown)
    if (reason === 'at_capacity') {
      this.#isFull = true
      slotsFor(this.#deps, this.#call).refused(id, this.#request.accountId)
    }
    if (reason === 'prompt_too_long') this.#longestTaken = Math.max(this.#longestTaken, member.channel.maxInputTokens)
  }

  /** Notes a channel that is cooling down once the list of skipped channels is full. */
  #cooldown(member: TierMember, { kind, status, untilMs }: ActiveCooldown, nowMs: number): void {
    if (kind === 'failing') return void this.#failing.push(member)
    const seconds = secondsUntil(untilMs, nowMs)
    const isSooner = !this.#limited || seconds < this.#limited.seconds
    if (isSooner && canOffer(member.channel, this.#call)) this.#limited = { kind, status, seconds }
  }

  #limit(cooldown: Cooldown): void {
    if (!this.#limited || cooldown.seconds < this.#limited.seconds) this.#limited = cooldown
  }

  /**
   * A channel that cools down after mere failures, chosen by weight among those of the best priority; then such keys of
   * channels whose first key was refused.
   */
  #nextCoolingDown(): ActiveChannel | undefined {
    for (let member = this.#failingOne(); member; member = this.#failingOne()) {
      const eligibility = this.#evaluate(member.channel)
      const channel = 'channel' in eligibility ? eligibility.channel : eligibility.lastResort
      if (channel) return channel
    }
    return this.#lastResorts.shift()
  }

  #failingOne(): TierMember | undefined {
    return drawnOut(this.#failing)
  }

  /** An untried key of a channel whose other key was refused. */
  #anotherKey(): ActiveChannel | undefined {
    for (let id = this.#channelsWithOtherKeys.shift(); id !== undefined; id = this.#channelsWithOtherKeys.shift()) {
      const channel = this.#offered(id)
      const eligibility = channel && this.#evaluate(channel)
      if (eligibility && 'channel' in eligibility) return eligibility.channel
      if (eligibility?.lastResort) this.#lastResorts.push(eligibility.lastResort)
    }
    return undefined
  }

  /** The channel with all its keys, as of the start of the request. */
  #offered(id: number): ActiveChannel | undefined {
    for (const { members } of this.#plan.tiers) for (const { channel } of members) if (channel.id === id) return channel
    return undefined
  }
}

function routedRequest(call: Call, plan: Pick<Plan, 'expected' | 'extras'>, accountId: number): RoutedRequest {
  const { choices, hasUnknownPrompt, maxPrompt, prompt } = plan.expected
  const answers = Math.max(choices, plan.extras.image?.n ?? 1)
  return { model: call.model, accountId, tokens: ((hasUnknownPrompt ? maxPrompt : prompt) + call.maxOutput) * answers }
}

export const triesOf = (settings: Pick<Settings, 'get'>, { forced }: Pick<Plan, 'forced'>): number =>
  forced ? 1 : settings.get('RetryTimes') + 1

/** The error was not the channel's fault. */
const NO_FAILURE = { status: 0, transport: false } as const

/** No channel is eligible, and at least one has a retry time or is at its limit. */
const saturated = (group: string, status: number, retryAfterSeconds: number): GatewayError =>
  refuse(
    status === 429 ? 'limited' : 'unavailable',
    'relay.saturated',
    { group },
    { code: 'channels_saturated', retryAfterSeconds },
  )

/**
 * Endings that are the channel's fault, as shown in the console; a single error from the vendor may be due to the
 * prompt.
 */
const failures: Readonly<Partial<Record<Ending, ChannelFailure>>> = {
  'upstream-broken': { status: 0, transport: false, isCut: true, message: 'a response ended early' },
  'upstream-timeout': { status: 0, transport: false, isCut: true, message: 'a response stalled' },
  'upstream-error': { status: 502, transport: false, message: 'a response ended with an error' },
}

/** A request that one channel's dialect cannot express may fit another's: no vendor was contacted yet. */
const isRefusal = (error: unknown): boolean => error instanceof GatewayError && error.code === 'convert_request_failed'

function attemptOf(channel: ActiveChannel, error?: unknown): Attempt {
  const target = channel.keyPosition > 0 ? { channel: channel.id, key: channel.keyPosition } : { channel: channel.id }
  if (error instanceof UpstreamError) {
    const reason = withoutSecrets(error.message, channel).slice(0, MAX_REASON_LENGTH)
    return { ...target, status: error.status, reason }
  }
  return error instanceof GatewayError ? { ...target, status: error.status } : target
}

/** A fraction in [0, 1), by FNV-1a; equal texts get equal fractions. */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0) / 0x1_0000_0000
}

/** Why no channel was tried: none of the model's channels supports the endpoint, or none is available. */
function noRoute({ group, tiers, forced }: RoutedPlan, { model, endpoint }: Call): GatewayError {
  const channels = forced ? [forced] : tiers.flatMap(({ members }) => members.map(({ channel }) => channel))
  const isOffered = channels.some(
    ({ typeName }) => upstreamEndpointFor(providerFor(typeName), endpoint, '') !== undefined,
  )
  if (isOffered || channels.length === 0) return noChannel(model, group)
  return refuse('unavailable', 'relay.notOffered', { model, endpoint }, { code: 'no_available_channel' })
}
