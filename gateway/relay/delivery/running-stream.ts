import type { ServerResponse } from 'node:http'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Observed } from '../metering/usage-tap.ts'
import type { UpstreamReply } from '../model/answer.ts'
import type { Ending } from '../model/outcome.ts'
import type { Recording } from '../response-cache/recording.ts'
import type { StreamTransform } from '../transforms/transform.ts'
import type { LineMemory } from './line-memory.ts'

export type StreamDeps = Readonly<{
  reply: UpstreamReply
  response: ServerResponse
  transform: StreamTransform
  tap: Readonly<{ observed: Readonly<Observed>; produced(): boolean; unread(): void }>
  /** Whether the output so far is paid for; called for each chunk, which is not sent if it returns false. */
  isCovered: () => boolean
  /** Whether the stream is read after its caller has left (docs/reference/billing.md#disconnected-callers). */
  readsOn: () => boolean
  /** Whether it is read after the gateway has stopped sending it, since its cost is not known before its end. */
  readsOnUnsent: () => boolean
  /** Counts tokens that the upstream did not report; undefined if there is nothing to count. */
  count: (ending: Ending) => Promise<void> | undefined
  /** Charges what was delivered and returns its usage once that is durable. Called once; the last byte waits for it. */
  settle: (ending: Ending) => MaybePromise<Usage>
  /** Resolves once the stored response can be found; the last byte waits for it. */
  found: () => MaybePromise<void>
  /**
   * The bytes that report a broken stream in the caller's dialect; `hasPassed` if the upstream's own error event was
   * sent.
   */
  brokenEvent: (ending: Ending, hasPassed: boolean) => string
  /** The transform rewrites the stream, so an error in it must be written to the caller. */
  isTranslated: boolean
  /** Chunks buffered for a caller that reads slowly; 0 for none. */
  queueLength: number
  recording: Recording | undefined
  /** The memory of the incomplete line; absent for a stream without lines. */
  line?: LineMemory | undefined
  onFirst: () => void
  onFault: (error: unknown) => void
}>

export interface RunningStream {
  readonly finished: Promise<Ending>
  /** Ends the stream from the gateway's side, such as at shutdown. */
  stop(): void
  /** The time limit of streams has passed: nothing more is sent. Call `stop` if the stream does not end. */
  timeUp(): void
  /**
   * Ends the response of a caller whose key has become invalid, and continues as if the caller had hung up: the caller
   * may have revoked the key itself, and the upstream charges all the same.
   */
  dismiss(): void
  expire(): void
  /** Writes a comment if the stream is between two events and the caller has read everything. */
  ping(): void
  received(): number
  produced(): boolean
}
