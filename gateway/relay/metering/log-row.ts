import { logType } from '../../../shared/enums.ts'
import { objectIn, textIn } from '../../base/json/json.ts'
import { type BillableExtras, PLAIN } from '../../billing/billable-extras.ts'
import { hasFailed } from '../../billing/channel-outcomes.ts'
import type { Charge } from '../../billing/ledger.ts'
import { chargeFor } from '../../billing/meter.ts'
import { type PricedUsage, receiptFacts, receiptText } from '../../billing/receipt-facts.ts'
import type { Usage } from '../../billing/usage.ts'
import type { NewLog } from '../../store/schema/schema.ts'
import { effortOf } from '../admission/expected-thought.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import { conversationFormat, type Endpoint, isTalk } from '../model/endpoint.ts'
import type { Attempt, Ending, Skipped } from '../model/outcome.ts'
import type { Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'

export type LogContext = Readonly<{
  context: RequestContext
  caller: Caller
  call: Call
  /** The group used for routing and price; empty if the request failed before the group was known. */
  group: string
  attempts: readonly Attempt[]
  skipped?: readonly Skipped[]
  channelId: number
  upstreamModel: string
  /** The model that the upstream names in its response instead of the one sent. */
  responseModel?: string | undefined
  /** The endpoint called at the upstream that responded; absent if none did. */
  upstreamEndpoint?: Endpoint | undefined
  /** Milliseconds from the request's arrival to the first byte sent; -1000 if none was sent. */
  firstByteMs: number
  tookMs: number
  extras?: BillableExtras
  /** Names of the parts of the response that the caller's dialect could not express; none if absent. */
  lost?: readonly string[]
  isKept?: boolean
}>

/**
 * The final charge of a request, with the log row that is its receipt (docs/reference/billing.md#receipts); the row
 * only if `logged`.
 */
export function chargeOf(logContext: LogContext, plan: Plan, usage: Usage, ending: Ending, logged: boolean): Charge {
  const { context } = logContext
  const { price, quotaPerUnit } = plan
  const extras = isWithoutAnswer(usage, ending) ? WITHOUT_ANSWER : (logContext.extras ?? PLAIN)
  const quota = chargeFor(usage, price, quotaPerUnit, extras)
  const log = logged ? consumeRow(logContext, { usage, price, quotaPerUnit, extras }, ending, quota) : null
  const tokens = usage.prompt + usage.completion
  const charge = { quota, channelId: logContext.channelId, at: context.at, log, tokens, use: countedUse(logContext) }
  const failed = logContext.attempts.filter(hasFailed)
  return failed.length === 0 ? charge : { ...charge, failedChannels: failed.map(({ channel }) => channel) }
}

/** The counted use; `firstByteMs` is -1 for a response sent at once, since its first byte comes with its last. */
const countedUse = ({ caller, call, tookMs, firstByteMs }: LogContext): NonNullable<Charge['use']> => ({
  username: caller.account.username,
  model: call.model,
  tookMs: Math.round(tookMs),
  firstByteMs: call.stream ? firstByteMs : -1,
})

/**
 * Even a price per call is not charged if the response broke off before any output
 * (docs/reference/billing.md#missing-usage).
 */
const WITHOUT_ANSWER: BillableExtras = { times: 0 }
const isWithoutAnswer = (usage: Usage, ending: Ending): boolean =>
  ending !== 'complete' && usage.prompt + usage.completion + usage.cacheRead + usage.cacheWrite === 0

const MAX_TEXT = 4000

/** The row of a failed request: type 5, nothing charged; channel details only for administrators. */
export function failureRow(logContext: LogContext, status: number, code: string, message: string): NewLog {
  const other = {
    ...base(logContext),
    error_type: code,
    error_code: code,
    status_code: status,
    admin_info: adminInfo(logContext),
  }
  const content = message.slice(0, MAX_TEXT)
  return { ...rowOf(logContext), type: logType.error, content, other: JSON.stringify(other) }
}

function rowOf({ context, caller, call, group, channelId, tookMs, attempts }: LogContext): NewLog {
  return {
    user_id: caller.account.id,
    created_at: context.at,
    type: logType.consume,
    username: caller.account.username,
    token_name: caller.tokenId === 0 ? `${caller.tokenName || 'playground'}-${group}` : caller.tokenName,
    model_name: call.model,
    use_time: Math.round(tookMs / 1000),
    is_stream: call.stream ? 1 : 0,
    retries: attempts.length > 1 ? attempts.length - 1 : 0,
    channel_id: channelId,
    token_id: caller.tokenId,
    group,
    ip: caller.account.recordIp ? context.ip : '',
    request_id: context.requestId,
  }
}

/** The row of a charge; recomputing it from the row gives the same amount (docs/reference/billing.md#receipts). */
function consumeRow(logContext: LogContext, priced: PricedUsage, ending: Ending, quota: number): NewLog {
  const { lost, responseModel } = logContext
  const other = {
    ...base(logContext),
    ...receiptFacts(priced),
    ended: ending,
    ...(lost ? { answer_dropped: lost } : NOTHING),
    ...(responseModel ? { response_model: responseModel } : NOTHING),
    admin_info: adminInfo(logContext),
  }
  return {
    ...rowOf(logContext),
    quota,
    prompt_tokens: priced.usage.prompt,
    completion_tokens: priced.usage.completion,
    content: receiptText(priced).slice(0, MAX_TEXT),
    other: JSON.stringify(other),
  }
}

function base({ context, call, upstreamModel, firstByteMs, tookMs, isKept: hasBodies }: LogContext) {
  const effort = reasoningEffort(call)
  const mapped = upstreamModel !== '' && upstreamModel !== call.model
  return {
    request_id: context.requestId,
    frt: firstByteMs,
    duration_ms: Math.round(tookMs),
    ...(mapped ? { is_model_mapped: true, upstream_model_name: upstreamModel } : {}),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(call.outputLimit === undefined ? {} : { output_limit: call.outputLimit }),
    ...(hasBodies ? { bodies_kept: true } : {}),
  }
}

/** Routing details for administrators. Omits what most rows share: chat, and a single channel that served. */
const adminInfo = ({ call, attempts, skipped = [], upstreamEndpoint }: LogContext) => ({
  ...(call.endpoint === 'chat' ? NOTHING : { endpoint: call.endpoint }),
  ...otherFormat(call, upstreamEndpoint),
  use_channel: attempts.map(({ channel }) => String(channel)),
  ...(isPlain(attempts) ? NOTHING : { tried: attempts }),
  ...(skipped.length > 0 ? { skipped } : NOTHING),
})

/** The upstream's API format if it differs from the caller's: a dialect, or `own` for the vendor's. */
const otherFormat = ({ endpoint }: Call, upstreamEndpoint: Endpoint | undefined) =>
  upstreamEndpoint === undefined || upstreamEndpoint === endpoint || !isTalk(upstreamEndpoint)
    ? NOTHING
    : { upstream_format: upstreamEndpoint === 'own' ? upstreamEndpoint : conversationFormat[upstreamEndpoint] }

const NOTHING = {}

const isPlain = ([first, second]: readonly Attempt[]): boolean =>
  second === undefined && first?.key === undefined && first?.status === undefined

const MAX_LENGTH = 32
const SUFFIX = /^(?:o\d|gpt-[5-9]|claude-opus-4-[678]|gemini-[3-9]).*-(max|xhigh|high|medium|low|minimal|none)$/

/** The reasoning effort of a call: from its body, in any dialect, or from the suffix of the model's name. */
function reasoningEffort({ json, model }: Call): string | undefined {
  const body = objectIn(json)
  const config = objectIn(body.generationConfig ?? body.generation_config)
  const thinking = objectIn(config.thinkingConfig ?? config.thinking_config)
  const level = textIn(thinking.thinkingLevel) ?? textIn(thinking.thinking_level)
  const effort = effortOf(body) ?? level?.toLowerCase() ?? SUFFIX.exec(model)?.[1]
  return effort?.slice(0, MAX_LENGTH)
}
