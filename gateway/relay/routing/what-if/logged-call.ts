import { logType } from '../../../../shared/enums.ts'
import { isObject, type JsonObject, objectIn, objectsIn, parsed, textIn } from '../../../base/json.ts'
import type { ReplayedRow } from '../../../store/replayed-rows.ts'
import { endpointSpecs } from '../../intake/endpoint-specs.ts'
import type { AskedEndpoint } from '../../model/endpoint.ts'
import type { Attempt, Ineligibility, Skipped } from '../../model/outcome.ts'
import { isOverflow, UpstreamError } from '../../upstream/upstream-error.ts'

/** How one request went, or several that were folded into one row. */
export type LoggedCall = Readonly<{
  at: number
  /** The group it was routed in, and those that its token and account have. */
  groups: Readonly<{ routed: string; token: string; account: string }>
  model: string
  endpoint: AskedEndpoint
  promptTokens: number
  times: number
  attempts: readonly Attempt[]
  skipped: readonly Skipped[]
  /**
   * `answered` to its end; `broken`: the channel ended its answer early; `failed` at a channel; `callers`: what the caller sent,
   * or that it left, would have ended it with every channel; `unrouted`: no channel could be asked.
   */
  outcome: 'answered' | 'broken' | 'failed' | 'callers' | 'unrouted'
  /** Milliseconds from arrival to end. */
  tookMs: number
  quota: number
}>

/** Requests that no routing decided: `refused` before any channel was looked for, `cached` where the response cache answered. */
export type UnroutedCall = Readonly<{ left: 'refused' | 'cached'; times: number }>

/** What a log row tells. */
export function loggedCall(row: ReplayedRow): LoggedCall | UnroutedCall {
  const facts = factsIn(row.other)
  const admin = objectIn(facts.admin_info)
  const attempts = attemptsOf(row, admin)
  const code = textIn(facts.error_code) ?? ''
  const isFailed = row.type === logType.error
  const folded = Number(objectIn(facts.folded).count)
  const times = Number.isSafeInteger(folded) && folded > 0 ? folded : 1
  if (attempts.length === 0 && !isFailed) return { left: 'cached', times }
  if (attempts.length === 0 && !noRouteCodes.has(code)) return { left: 'refused', times }
  return {
    at: row.created_at,
    groups: { routed: row.group, token: row.token_group ?? '', account: row.user_group ?? '' },
    model: row.model_name,
    endpoint: endpointIn(admin),
    promptTokens: row.prompt_tokens,
    times,
    attempts,
    skipped: skippedIn(admin),
    outcome: outcomeOf(isFailed, attempts, textIn(facts.ended) ?? ''),
    tookMs: typeof facts.duration_ms === 'number' ? facts.duration_ms : row.use_time * 1000,
    quota: row.quota,
  }
}

/** Of another gateway's row it may be none of ours. */
function endpointIn({ endpoint }: JsonObject): AskedEndpoint {
  const isOurs = typeof endpoint === 'string' && Object.hasOwn(endpointSpecs, endpoint)
  return isOurs ? (endpoint as AskedEndpoint) : 'chat' // a key of the table
}

/** The error codes of requests for which there was no channel (docs/reference/errors.md#refusals). */
const noRouteCodes = new Set(['no_available_channel', 'channels_saturated', 'context_length_exceeded'])

function factsIn(other: string): JsonObject {
  const value = other.startsWith('{') ? parsed(other) : undefined
  return isObject(value) ? value : {}
}

function attemptsOf({ channel_id, type }: ReplayedRow, { tried, use_channel }: JsonObject): Attempt[] {
  const told = objectsIn(tried).flatMap(({ channel, status, reason }): Attempt[] => {
    if (typeof channel !== 'number') return []
    const failure = typeof status === 'number' ? { status, reason: textIn(reason) ?? '' } : {}
    return [{ channel, ...failure }]
  })
  if (told.length > 0) return told
  const used = Array.isArray(use_channel) ? use_channel.map(Number).filter(Number.isSafeInteger) : undefined
  if (used) return used.map((channel) => ({ channel }))
  return channel_id > 0 && type === logType.consume ? [{ channel: channel_id }] : []
}

const reasons: ReadonlySet<string> = new Set<Ineligibility>(['at_capacity', 'cooldown', 'limited', 'no_key'])

/** Those that were passed over for how things stood at that moment. */
function skippedIn({ skipped }: JsonObject): Skipped[] {
  return objectsIn(skipped).flatMap(({ channel, reason, status, seconds }): Skipped[] => {
    if (typeof channel !== 'number' || typeof reason !== 'string' || !reasons.has(reason)) return []
    const cooldown = typeof seconds === 'number' ? { seconds, status: Number(status) || 0 } : {}
    return [{ channel, reason: reason as Ineligibility, ...cooldown }] // one of the set above
  })
}

/** Endings of an answer that are its channel's doing. */
const brokenEndings = new Set(['upstream-broken', 'upstream-timeout', 'upstream-error'])
/** What the caller got wrong is wrong with every channel. */
const callersStatuses = new Set([400, 413, 422])

function outcomeOf(isFailed: boolean, attempts: readonly Attempt[], ended: string): LoggedCall['outcome'] {
  if (!isFailed) return brokenEndings.has(ended) ? 'broken' : 'answered'
  const last = attempts.at(-1)
  if (!last) return 'unrouted'
  if (last.status === undefined || callersStatuses.has(last.status)) return 'callers'
  return isOverflow(errorOf(last)) ? 'callers' : 'failed'
}

/** The error of an attempt, as far as the log has it. */
export const errorOf = ({ status = 502, reason = '' }: Attempt): UpstreamError => new UpstreamError(status, reason)
