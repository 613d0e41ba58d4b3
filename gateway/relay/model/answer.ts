import type { IncomingHttpHeaders } from 'node:http'
import type { Hold } from '../../billing/ledger.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { AnswerFrame, Wire } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import type { Call } from './call.ts'
import type { Caller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import type { Attempt, Skipped } from './outcome.ts'
import type { Plan } from './plan.ts'
import type { RequestContext } from './request-context.ts'

/** The facts about a converted request that are needed to write its response. */
export type ConversionFacts = Pick<AnswerFrame, 'clientTools' | 'compaction'>

/** A good upstream response: read completely, or a stream whose first bytes have arrived. */
export type Answer = Readonly<{
  channel: ActiveChannel
  upstreamModel: string
  /** The endpoint called at the upstream: the call's own, or one that it was converted to. */
  upstreamEndpoint: Endpoint
  /** Parts of the request that did not reach the upstream, by the caller's names. */
  dropped: readonly string[]
  reply: UpstreamReply
  /** How to decode the response if it has to be converted. */
  wire: Wire | undefined
  /** Facts of the request's conversion; absent if it was not converted. */
  conversion?: ConversionFacts | undefined
  /** Deadline in monotonic milliseconds; none if absent (RELAY_TIMEOUT). */
  untilMs?: number
  body: WholeBody | Readonly<{ kind: 'stream'; dropUsage: boolean }> | Readonly<{ kind: 'bytes' }>
}>

/** A complete response; `json` is its text if it is not JSON. With `isBridged`, the bytes no longer match `json`. */
export type WholeBody = Readonly<{
  kind: 'whole'
  bytes: Buffer
  json: unknown
  isBridged: boolean
  /** `json` has only the short top-level members and the tools used: there are too many values to parse. */
  isPartial?: true
  /** The decoded events, if it came as an unrequested stream and has to be converted. */
  events?: readonly AnswerEvent[]
}>

/** Receives an upstream's bytes. `chunk` returns false to pause until `resume`. */
export interface Sink {
  chunk(bytes: Buffer): boolean
  end(): void
  fail(error: Error): void
}

/** An upstream's response: status and headers have arrived, the decompressed body waits for a reader. */
export interface UpstreamReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The vendor bills the call, although this response reports no result. */
  readonly isBilled?: boolean
  /** From now on only the reader decides when to `abort`; the caller's cancellation no longer applies. */
  detach(): void
  /**
   * Returns the next bytes of the body that no earlier call has returned; `pipe` still delivers them. Empty if the
   * caller has left, undefined at the end of the body. Rejects if the body breaks off.
   */
  nextBytes(): Promise<Buffer | undefined>
  /** Delivers the body from its beginning. Call it once. */
  pipe(sink: Sink): void
  resume(): void
  /** Aborts the upstream call; nothing reaches the sink afterwards. */
  abort(): void
}

/**
 * The order of a call that its vendor may accept before it has a result (docs/reference/billing.md#accepted-orders).
 */
export interface AcceptedOrder {
  /** From now on the vendor bills the call, so it is charged even if the gateway stops. */
  accepted(): void
}

export type ChargedRequest = Readonly<{
  context: RequestContext
  caller: Caller
  call: Call
  plan: Plan
  attempts: readonly Attempt[]
  skipped: readonly Skipped[]
  channelId: number
  upstreamModel: string
  /** Absent for a session, a cached response and a call without a response. */
  answer?: Answer
  /** The model that the upstream names in its response instead of the one sent. */
  responseModel?: string | undefined
  /** Names of the parts of the response that the caller's dialect could not express. */
  lost?: readonly string[]
  isKept?: boolean
}>

export type Delivery = ChargedRequest & Readonly<{ hold: Hold; answer: Answer }>
