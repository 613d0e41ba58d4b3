import { logType } from '../../shared/enums.ts'
import type { Charge } from '../billing/ledger.ts'
import { chargeFor } from '../billing/meter.ts'
import type { Usage } from '../billing/usage.ts'
import type { NewLog } from '../store/schema.ts'
import type { Plan } from './admit.ts'
import type { Arrival } from './arrival.ts'
import type { Caller } from './identify.ts'
import type { Ending } from './stream.ts'
import type { Call } from './understand.ts'

/** One channel that was asked, and why it did not serve where it did not. */
export type Attempt = Readonly<{ channel: number; status?: number; reason?: string }>

/** Everything a log row is made of. */
export type Story = Readonly<{
  arrival: Arrival
  caller: Caller
  call: Call
  /** The group it was routed and priced in; empty where it did not get that far. */
  group: string
  attempts: readonly Attempt[]
  channelId: number
  upstreamModel: string
  /** Milliseconds from arrival to the first byte sent on; -1000 when there was none. */
  firstByteMs: number
  /** Milliseconds from arrival to the end. */
  tookMs: number
}>

/** What a request costs in the end, with the log row that is its receipt (spec/relay.md §6.8); the row only where asked for. */
export function chargeOf(story: Story, plan: Plan, usage: Usage, ending: Ending, logged: boolean): Charge {
  const { arrival } = story
  const quota = chargeFor(usage, plan.price, plan.quotaPerUnit)
  const log = logged
    ? {
        ...rowOf(story),
        type: logType.consume,
        quota,
        ...tokensOf(usage),
        content: contentOf(plan, usage),
        other: JSON.stringify(receipt(story, plan, usage, ending)),
      }
    : null
  return { quota, channelId: story.channelId, at: arrival.at, log }
}

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

const tokensOf = (usage: Usage) => ({ prompt_tokens: usage.prompt, completion_tokens: usage.completion })

/** The receipt: recomputing the charge from it gives the same number (design/product.md, promise 2). */
function receipt(story: Story, { price, quotaPerUnit }: Plan, usage: Usage, ending: Ending) {
  return {
    ...base(story),
    model_ratio: price.modelRatio,
    group_ratio: price.groupRatio,
    completion_ratio: price.completionRatio,
    model_price: price.fixed ?? -1,
    user_group_ratio: price.exclusiveRatio ?? -1,
    cache_tokens: usage.cacheRead,
    cache_ratio: price.cacheRatio,
    ...(usage.cacheWrite > 0
      ? { cache_creation_tokens: usage.cacheWrite, cache_creation_ratio: price.cacheWriteRatio }
      : {}),
    ...(usage.reasoning > 0 ? { reasoning_tokens: usage.reasoning } : {}),
    quota_per_unit: quotaPerUnit,
    usage_source: usage.source,
    usage_semantics: usage.semantics,
    ended: ending,
    ...(price.unset ? { unset_price: true } : {}),
    admin_info: adminInfo(story),
  }
}

function base({ arrival, call, upstreamModel, firstByteMs }: Story) {
  const mapped = upstreamModel !== '' && upstreamModel !== call.model
  return {
    request_id: arrival.requestId,
    frt: firstByteMs,
    ...(mapped ? { is_model_mapped: true, upstream_model_name: upstreamModel } : {}),
  }
}

const adminInfo = ({ attempts }: Story) => ({
  use_channel: attempts.map(({ channel }) => String(channel)),
  tried: attempts,
})

function contentOf({ price }: Plan, usage: Usage): string {
  const ratios =
    price.fixed === null
      ? `model ratio ${price.modelRatio.toFixed(2)}, completion ratio ${price.completionRatio.toFixed(2)}, group ratio ${price.groupRatio.toFixed(2)}`
      : `model price ${price.fixed.toFixed(2)}, group ratio ${price.groupRatio.toFixed(2)}`
  return usage.prompt + usage.completion === 0 ? `${ratios}, no usage: the upstream may have timed out` : ratios
}
