import { logType } from '../../../shared/enums.ts'
import type { Charge } from '../../billing/ledger.ts'
import { chargeFor } from '../../billing/meter.ts'
import { receiptFacts, receiptText, type Sale } from '../../billing/receipt-facts.ts'
import type { Usage } from '../../billing/usage.ts'
import { PLAIN, type Work } from '../../billing/work.ts'
import type { NewLog } from '../../store/schema.ts'
import type { Plan } from '../admission/admit.ts'
import type { Arrival } from '../model/request-context.ts'
import type { Caller } from '../admission/identify.ts'
import { reasoningEffort } from './reasoning-effort.ts'
import type { Why } from '../routing/eligibility.ts'
import type { Ending } from '../delivery/stream.ts'
import type { Call } from '../intake/parse.ts'

/** One channel that was asked, and why it did not serve where it did not. */
export type Attempt = Readonly<{
  channel: number
  /** The place of the key among several, from 1. */
  key?: number
  status?: number
  reason?: string
}>

/** A channel that was passed over, and why; where it rests, after what status and for how many more seconds. */
export type Skipped = Readonly<{ channel: number; why: Why; status?: number; seconds?: number }>

/** Everything a log row is made of. */
export type Story = Readonly<{
  arrival: Arrival
  caller: Caller
  call: Call
  /** The group it was routed and priced in; empty where it did not get that far. */
  group: string
  attempts: readonly Attempt[]
  skipped?: readonly Skipped[]
  channelId: number
  upstreamModel: string
  /** Milliseconds from arrival to the first byte sent on; -1000 when there was none. */
  firstByteMs: number
  /** Milliseconds from arrival to the end. */
  tookMs: number
  /** What was asked for beyond tokens; nothing where absent. */
  work?: Work
}>

/** What a request costs in the end, with the log row that is its receipt (spec/relay.md §6.8); the row only where asked for. */
export function chargeOf(story: Story, plan: Plan, usage: Usage, ending: Ending, logged: boolean): Charge {
  const { arrival } = story
  const { price, quotaPerUnit } = plan
  const work = isUnserved(usage, ending) ? UNSERVED : (story.work ?? PLAIN)
  const quota = chargeFor(usage, price, quotaPerUnit, work)
  const log = logged ? consumeRow(story, { usage, price, quotaPerUnit, work }, ending, quota) : null
  return { quota, channelId: story.channelId, at: arrival.at, log, tokens: usage.prompt + usage.completion }
}

/** A price by the call is not due either where the answer broke off before anything came (spec/relay.md §6.6). */
const UNSERVED: Work = { times: 0 }
const isUnserved = (usage: Usage, ending: Ending): boolean =>
  ending !== 'complete' && usage.prompt + usage.completion + usage.cacheRead + usage.cacheWrite === 0

/** The row of a request that failed: type 5, nothing charged; channel facts only for administrators. */
export function failureRow(story: Story, status: number, code: string, message: string): NewLog {
  const other = {
    ...base(story),
    error_type: code,
    error_code: code,
    status_code: status,
    admin_info: adminInfo(story),
  }
  return { ...rowOf(story), type: logType.error, content: message, other: JSON.stringify(other) }
}

function rowOf({ arrival, caller, call, group, channelId, tookMs }: Story): NewLog {
  return {
    user_id: caller.account.id,
    created_at: arrival.at,
    type: logType.consume,
    username: caller.account.username,
    token_name: caller.tokenId === 0 ? `playground-${group}` : caller.tokenName,
    model_name: call.model,
    use_time: Math.round(tookMs / 1000),
    is_stream: call.stream ? 1 : 0,
    channel_id: channelId,
    token_id: caller.tokenId,
    group,
    ip: caller.account.recordIp ? arrival.ip : '',
    request_id: arrival.requestId,
  }
}

/** The row of a charge; recomputing it from the row gives the same number (design/product.md, promise 2). */
function consumeRow(story: Story, sale: Sale, ending: Ending, quota: number): NewLog {
  const other = { ...base(story), ...receiptFacts(sale), ended: ending, admin_info: adminInfo(story) }
  return {
    ...rowOf(story),
    quota,
    prompt_tokens: sale.usage.prompt,
    completion_tokens: sale.usage.completion,
    content: receiptText(sale),
    other: JSON.stringify(other),
  }
}

function base({ arrival, call, upstreamModel, firstByteMs }: Story) {
  const effort = reasoningEffort(call)
  const mapped = upstreamModel !== '' && upstreamModel !== call.model
  return {
    request_id: arrival.requestId,
    frt: firstByteMs,
    ...(mapped ? { is_model_mapped: true, upstream_model_name: upstreamModel } : {}),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(call.outputLimit === undefined ? {} : { output_limit: call.outputLimit }),
  }
}

/** What administrators see of the way it took. What most rows would say alike is left out: chat, and one channel that served. */
const adminInfo = ({ call, attempts, skipped = [] }: Story) => ({
  ...(call.endpoint === 'chat' ? NOTHING : { endpoint: call.endpoint }),
  use_channel: attempts.map(({ channel }) => String(channel)),
  ...(isPlain(attempts) ? NOTHING : { tried: attempts }),
  ...(skipped.length > 0 ? { skipped } : NOTHING),
})

const NOTHING = {}

/** One channel, with its only key, that served. */
const isPlain = ([first, second]: readonly Attempt[]): boolean =>
  second === undefined && first?.key === undefined && first?.status === undefined
