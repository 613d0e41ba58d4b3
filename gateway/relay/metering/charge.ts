import type { Clock } from '../../base/clock.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { SMALL } from '../../base/json/json-scan.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Charge, Hold } from '../../billing/ledger.ts'
import { dearTiers } from '../../billing/price.ts'
import { searchesAlways } from '../../billing/tool-prices.ts'
import { type Usage, usageOf } from '../../billing/usage.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Settings } from '../../settings/settings.ts'
import type { LearnedOutputs } from '../admission/learned-outputs.ts'
import { fieldName } from '../formats/field-names.ts'
import { imageExtrasOf } from '../intake/image-options.ts'
import type { Answer, ChargedRequest, Delivery } from '../model/answer.ts'
import type { Call } from '../model/call.ts'
import type { Ending } from '../model/outcome.ts'
import type { Plan } from '../model/plan.ts'
import type { TokenCounter } from '../tokenizer/counter.ts'
import { measured, type PromptDeps, promptOf, promptSize } from '../tokenizer/prompt-size.ts'
import type { Coverage } from './coverage.ts'
import { createEndpointTap, isTapped } from './endpoint-tap.ts'
import { type AnyTap, createEventTap } from './event-tap.ts'
import { chargeOf } from './log-row.ts'
import type { SettledCalls } from './settled-calls.ts'
import { type CountedText, isBlocked, isCounted } from './usage-tap.ts'

export type ChargeDeps = PromptDeps &
  Readonly<{
    counter: TokenCounter
    clock: Clock
    settings: Pick<Settings, 'get'>
    settled: SettledCalls
    learnedOutputs: Pick<LearnedOutputs, 'note'>
    /** Removes from a vendor's text what would reveal the channel's key, account or address. */
    withoutSecrets: (text: string, channel: ActiveChannel) => string
  }>

/** Creates the functions that charge one response; its usage is counted here if the upstream reported no usage. */
export function createCharging(deps: ChargeDeps, delivery: Delivery, coverage?: Coverage) {
  const { expected } = delivery.plan
  const { call, answer, hold } = delivery
  let counted: CountedText | undefined
  const charge = (tap: AnyTap, ending: Ending, firstByteMs: number): { charge: Charge; usage: Usage } => {
    const seen = usageFor(deps, delivery, tap, ending, counted, coverage)
    const isCut = (UNSEEN_ENDINGS.has(ending) || expected.callsServers) && !isCounted(tap.observed)
    const unseen = isCut && coverage ? coverage.withUnseen(seen) : seen
    // A model that has reasoned has read the prompt.
    const isFed = !isCut || unseen.completion === 0 || unseen.prompt > 0
    const usage = inRequestedTier(isFed ? unseen : { ...unseen, prompt: promptTokens(deps, delivery) }, delivery)
    const lost = tap.lost?.()
    const plan = deliveredPlan(delivery, tap.observed.images)
    const responseModel = differentModel(deps, answer, tap.observed.model)
    const request = { ...delivery, plan, responseModel, ...(lost?.length ? { lost } : {}) }
    return { usage, charge: chargeRequest(deps, request, usage, ending, firstByteMs) }
  }
  const countExactly = async (text: string): Promise<void> => {
    const { texts, extra } = promptOf(deps, call)
    const count = (parts: readonly string[]) =>
      deps.counter.count(delivery.caller.account.id, answer.upstreamModel, parts)
    const [prompt, completion] = await Promise.all([count(texts), count([text])])
    if (prompt.source === 'counted' && completion.source === 'counted')
      counted = { prompt: Math.max(prompt.tokens + extra, expected.minPrompt), completion: completion.tokens }
    else await measured(deps, call)
  }
  return {
    charge,
    /**
     * Prepares `settle` if the upstream reported no usage: counts prompt and response exactly if the model's tokenizer
     * is known, else measures the prompt.
     */
    count(tap: AnyTap): Promise<void> | undefined {
      if (isCounted(tap.observed)) return undefined
      const text = tap.text()
      if (text === undefined) return measured(deps, call)
      return call.bytes.length > SMALL ? yieldToOthers().then(() => countExactly(text)) : countExactly(text)
    },
    /** Prepares `charge` for a response that is not complete. */
    measure: (tap: AnyTap): Promise<void> | undefined => (tap.observed.usage ? undefined : measured(deps, call)),
    /** Charges the usage so far; returns it once that is durable. */
    settle(tap: AnyTap, ending: Ending, firstByteMs: number): MaybePromise<Usage> {
      const charged = charge(tap, ending, firstByteMs)
      deps.learnedOutputs.note(delivery.channelId, call.model, expected, charged.usage)
      const settled = hold.settle(charged.charge)
      if (settled instanceof Promise) return settled.then(() => settledUsage(deps, delivery, charged))
      return settledUsage(deps, delivery, charged)
    },
  }
}

/** The model that an upstream names instead of the one sent; its name may contain the operator's account (AWS). */
function differentModel(
  { withoutSecrets }: Pick<ChargeDeps, 'withoutSecrets'>,
  { channel, upstreamModel }: Answer,
  named: string | undefined,
): string | undefined {
  if (named === undefined || named === upstreamModel) return undefined
  return withoutSecrets(named, channel).slice(0, MAX_MODEL_LENGTH)
}

const MAX_MODEL_LENGTH = 100

/** Endings that are charged even if nothing was produced: the upstream has read the prompt. */
const WORKED: ReadonlySet<Ending> = new Set(['complete', 'client-gone', 'filtered'])
/** Endings of streams whose upstream may have worked unseen; a complete one without figures is estimated as well. */
const UNSEEN_ENDINGS: ReadonlySet<Ending> = new Set([
  ...['complete', 'client-gone', 'filtered', 'stopped', 'upstream-timeout'],
] as const)

/** The plan with the price of the images that the response contains, if they are fewer than requested. */
function deliveredPlan({ plan, call }: Delivery, images: number | undefined): Plan {
  const { image } = plan.extras
  if (!image || images === undefined || images >= image.n) return plan
  return { ...plan, extras: { ...plan.extras, ...imageExtrasOf({ ...image, n: images }, call.model) } }
}

/** Records that the vendor bills the call from now on, so that it is charged even if the gateway stops. */
export function checkpointOrder(deps: ChargeDeps, request: ChargedRequest, hold: Hold): void {
  const usage = undeliveredUsage(deps, request.call)
  hold.checkpoint(chargeRequest(deps, request, usage, UNDELIVERED, NO_FIRST_BYTE))
}

export const UNDELIVERED = 'upstream-timeout'

/**
 * The usage of a call that its vendor bills although no response arrived, estimated from the request
 * (docs/reference/billing.md#accepted-orders) and the output that the vendor's error quotes.
 */
export function undeliveredUsage(deps: PromptDeps, call: Call, output = ''): Usage {
  const prompt = () => promptSize(deps, call)
  if (isTapped(call.endpoint)) return createEndpointTap(call, call.model).usage(prompt, undefined)
  const tap = createEventTap(call.model, call.format)
  if (output !== '') tap.take({ type: 'text', choice: 0, text: output })
  return tap.usage(prompt, undefined)
}

/** The counted size of the prompt, but at least the minimum that the request's bytes indicate. */
const promptTokens = (deps: PromptDeps, { call, plan }: Pick<Delivery, 'call' | 'plan'>): number =>
  Math.max(promptSize(deps, call), plan.expected.minPrompt)

/**
 * The usage of a good response that was too long to be read: as reported, else as reserved
 * (docs/reference/billing.md#responses-too-long-to-read).
 */
export const unreadUsage = (plan: Plan, reported: Usage | undefined): Usage =>
  reported ?? atLeastReserved(usageOf({ source: 'estimated' }), plan)

/** Charges a call without a response. */
export async function settleFailed(
  deps: ChargeDeps,
  request: ChargedRequest,
  hold: Hold,
  usage: Usage,
  ending: Ending,
): Promise<void> {
  const charge = chargeRequest(deps, request, usage, ending, NO_FIRST_BYTE)
  await hold.settle(charge)
  settledUsage(deps, request, { usage, charge })
}

const NO_FIRST_BYTE = -1000

/**
 * Applies the requested tiers with a higher price to a usage that the vendor did not report: vendors charge for a tier,
 * and most report it only at the end. Does not apply if the channel removed the tier from the request.
 */
function inRequestedTier(usage: Usage, { plan: { price, extras }, answer }: Delivery): Usage {
  const tiers = extras.possible?.tiers
  if (!tiers || usage.source === 'upstream' || usage.tiers.length > 0) return usage
  return answer.dropped.some((name) => TIER_MEMBERS.has(name)) ? usage : { ...usage, tiers: dearTiers(price, tiers) }
}

const TIER_MEMBERS: ReadonlySet<string> = new Set(['service_tier', 'serviceTier', 'speed', 'inference_geo'])

function settledUsage(
  deps: ChargeDeps,
  request: ChargedRequest,
  { usage, charge }: { usage: Usage; charge: Charge },
): Usage {
  reportSettled(deps, request, usage, charge.quota)
  return usage
}

export function chargeRequest(
  { clock, settings }: Pick<ChargeDeps, 'clock' | 'settings'>,
  request: ChargedRequest,
  usage: Usage,
  ending: Ending,
  firstByteMs: number,
): Charge {
  const {
    context,
    caller,
    call,
    plan,
    attempts,
    skipped,
    channelId,
    upstreamModel,
    answer,
    responseModel,
    lost,
    isKept,
  } = request
  const facts = {
    context,
    caller,
    call,
    group: plan.group,
    attempts,
    skipped,
    channelId,
    upstreamModel,
    responseModel,
    upstreamEndpoint: answer?.upstreamEndpoint,
    firstByteMs: Math.round(firstByteMs),
    tookMs: clock.monotonic() - context.startedMs,
    extras: plan.extras,
    ...(lost ? { lost } : {}),
    ...(isKept ? { isKept } : {}),
  }
  return chargeOf(facts, plan, usage, ending, settings.get('LogConsumeEnabled'))
}

/** Notifies listeners of a call that was made with an API token. */
export function reportSettled(
  { settled }: Pick<ChargeDeps, 'settled'>,
  { context, caller, call }: Pick<ChargedRequest, 'context' | 'caller' | 'call'>,
  usage: Usage,
  quota: number,
): void {
  if (!settled.isAwaited || caller.tokenId === 0) return
  const { requestId, at } = context
  const tokens = usage.prompt + usage.completion
  settled.emit({ userId: caller.account.id, model: call.model, tokens, quota, requestId, at })
}

/** The usage of a response whose figures cannot be read: as reserved, tools included, or more if more was seen. */
function atLeastReserved(seen: Usage, { expected, extras }: Plan): Usage {
  const { webSearches = 0, fileSearches = 0, containerGigabytes = 0, secondModel = null } = extras.possible ?? {}
  return {
    ...seen,
    prompt: Math.max(
      seen.prompt,
      expected.hasUnknownPrompt || expected.isReportedAtEnd ? expected.maxPrompt : expected.prompt,
    ),
    completion: Math.max(seen.completion, expected.output),
    webSearches: Math.max(seen.webSearches, webSearches),
    fileSearches: Math.max(seen.fileSearches, fileSearches),
    containerGigabytes: Math.max(seen.containerGigabytes, containerGigabytes),
    secondModel: seen.secondModel ?? secondModel,
    source: 'estimated',
  }
}

const NOTHING = usageOf({ source: 'estimated' })

/**
 * The usage to charge: none if nothing was produced and the upstream did not end its response properly; a caller that
 * leaves, or whose response begins with a blocked word, pays at least its prompt (docs/reference/billing.md#missing-usage).
 */
function usageFor(
  deps: PromptDeps,
  delivery: Delivery,
  tap: AnyTap,
  ending: Ending,
  counted: CountedText | undefined,
  coverage: Coverage | undefined,
): Usage {
  const { call, answer, plan } = delivery
  const promptOfCall = () => promptTokens(deps, delivery)
  if (ending === 'quota' && coverage && !isCounted(tap.observed)) return coverage.paidOf(tap, promptOfCall)
  const { expected } = plan
  const { observed } = tap
  const isBilled = WORKED.has(ending) || tap.produced() || (observed.usage && isBlocked(observed.error))
  if (!isBilled) return NOTHING
  const seen = tap.usage(promptOfCall, counted)
  const usage = observed.isUnread && !isCounted(observed) ? atLeastReserved(seen, plan) : seen
  // An estimate is capped at what the vendor was allowed, including reasoning in addition to the caller's limit.
  const isLimited = call.maxOutput > 0 && !answer.dropped.includes(fieldName('maxOutput', call.format))
  const max = usage.source === 'upstream' || !isLimited ? usage.completion : expected.output
  const searches = answer.upstreamEndpoint === 'chat' && searchesAlways(answer.upstreamModel) ? 1 : 0
  if (usage.completion <= max && searches <= usage.webSearches) return usage
  return {
    ...usage,
    completion: Math.min(usage.completion, max),
    webSearches: Math.max(usage.webSearches, searches),
  }
}
