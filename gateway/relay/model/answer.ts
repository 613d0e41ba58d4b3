import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Wire } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import type { Endpoint } from './endpoint.ts'
import type { UpstreamReply } from './upstream-reply.ts'

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
