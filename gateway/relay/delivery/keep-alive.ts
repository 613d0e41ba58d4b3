import type { Clock } from '../../base/clock.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Call } from '../model/call.ts'
import type { Timed } from '../model/cancellation.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { RunningStream } from './running-stream.ts'
import { PING } from './stream.ts'
import type { StreamSupervisor } from './stream-supervisor.ts'

type KeepAliveDeps = Readonly<{ settings: Pick<Settings, 'get'>; supervisor: StreamSupervisor; clock: Clock }>

/** Pings stop this long after the request began (docs/reference/streams.md#pings). */
const MAX_MS = 120 * 60_000

/**
 * Keeps the connection of a streaming caller alive: sends a comment after every interval without data, while waiting
 * for the upstream and between its chunks (docs/reference/streams.md#pings). Undefined if turned off or if the response
 * is not an event stream. Call `stop` when the response has ended.
 */
export function keepAliveFor(deps: KeepAliveDeps, context: RequestContext, call: Call): KeepAlive | undefined {
  if (!call.stream || !deps.settings.get('general_setting.ping_interval_enabled')) return undefined
  if (isArray(context, call)) return undefined
  const intervalMs = deps.settings.get('general_setting.ping_interval_seconds') * 1000
  return new KeepAlive(deps, context, intervalMs)
}

/** A class: one is created per request, and the supervisor's single timer polls them all. */
export class KeepAlive implements Timed {
  /** The first comment was sent, and with it status 200: from now on errors are events of the stream. */
  hasBegun = false
  readonly #context: RequestContext
  readonly #intervalMs: number
  readonly #leave: () => void
  #stream: RunningStream | undefined
  #sinceMs: number
  #received = 0

  constructor({ supervisor, clock }: KeepAliveDeps, context: RequestContext, intervalMs: number) {
    this.#context = context
    this.#intervalMs = intervalMs
    this.#sinceMs = clock.monotonic()
    this.#leave = supervisor.watch(this)
  }

  /** From now on the stream writes; comments go between its events. */
  follow(stream: RunningStream): void {
    this.#stream = stream
  }

  tick(nowMs: number): void {
    const { response, startedMs, head } = this.#context
    const stream = this.#stream
    const received = stream?.received() ?? 0
    if (received !== this.#received) {
      this.#received = received
      this.#sinceMs = nowMs
    }
    const isDue = nowMs - this.#sinceMs >= this.#intervalMs && nowMs - startedMs < MAX_MS
    if (!isDue || response.destroyed || response.writableEnded) return
    this.#sinceMs = nowMs
    if (stream) {
      stream.ping()
      return
    }
    if (!this.hasBegun) response.writeHead(200, { ...head, ...STREAM_HEAD })
    this.hasBegun = true
    response.write(PING)
  }

  stop(): void {
    this.#leave()
  }
}

/** Headers of every stream, in addition to its type. */
export const STREAMED = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

/** Headers of an event stream that the gateway writes itself. */
export const STREAM_HEAD = { 'content-type': 'text/event-stream; charset=utf-8', ...STREAMED }

/** Gemini's stream is one JSON array unless server-sent events are requested. */
export const isArray = ({ query }: RequestContext, { format, stream }: Call): boolean =>
  format === 'gemini' && stream && !/(^|&)alt=sse(&|$)/.test(query)
