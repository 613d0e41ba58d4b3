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

/** What is known, of a request that was converted, for writing its answer. */
export type Told = Pick<AnswerFrame, 'clientTools' | 'compaction'>

/** An upstream's good answer: read whole, or a stream whose first bytes are in. */
export type Answer = Readonly<{
  channel: ActiveChannel
  /** The upstream's name of the model. */
  upstreamModel: string
  /** What the upstream was asked for: the call's own endpoint, or another one it was converted for. */
  upstreamEndpoint: Endpoint
  /** What of the request the upstream could not be told, in the caller's names. */
  dropped: readonly string[]
  reply: UpstreamReply
  /** How the answer is read where it has to be converted. */
  wire: Wire | undefined
  /** What its request was converted with; absent where it was not. */
  told?: Told | undefined
  /** Until when it may go on, in monotonic milliseconds; without an end where absent (RELAY_TIMEOUT). */
  untilMs?: number
  body: WholeBody | Readonly<{ kind: 'stream'; dropUsage: boolean }> | Readonly<{ kind: 'bytes' }>
}>

/** An answer read to its end; `json` is its text where it is no JSON. With `isBridged` the bytes are not what `json` says any more. */
export type WholeBody = Readonly<{
  kind: 'whole'
  bytes: Buffer
  json: unknown
  isBridged: boolean
  /** What the answer says, where it came as a stream that nobody asked for and has to be converted. */
  events?: readonly AnswerEvent[]
}>

/** Where an upstream's bytes go. `chunk` answers false when it wants no more until `resume`. */
export interface Sink {
  chunk(bytes: Buffer): boolean
  end(): void
  fail(error: Error): void
}

/** An upstream's answer: status and headers are in, the body waits, unpacked, until somebody takes it. */
export interface UpstreamReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** From now on the taker alone decides when to `abort`; the cancellation of who asked counts no more. */
  detach(): void
  /**
   * A look at the next bytes of the body that no look has been at, which `pipe` still delivers; empty where who asked is
   * gone, undefined where the body has ended. Rejects when it breaks without any more.
   */
  nextBytes(): Promise<Buffer | undefined>
  /** Delivers the body, what came early first. Once. */
  pipe(sink: Sink): void
  resume(): void
  /** Ends the upstream call; nothing reaches the sink afterwards. */
  abort(): void
}

/** A request that is to be charged: who asked for what, at which price, and over which channels it went. */
export type ChargedRequest = Readonly<{
  context: RequestContext
  caller: Caller
  call: Call
  plan: Plan
  attempts: readonly Attempt[]
  skipped: readonly Skipped[]
  channelId: number
  upstreamModel: string
  /** What came; absent where a session is charged. */
  answer?: Answer
  /** What of the answer the caller's dialect had no place for, by name. */
  lost?: readonly string[]
  /** The bodies of the call are kept. */
  isKept?: boolean
}>

/** A request with its answer, ready to be sent on and charged. */
export type Delivery = ChargedRequest & Readonly<{ hold: Hold; answer: Answer }>
