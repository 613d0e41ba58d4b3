import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors } from 'undici'
import { MAX_INTERIM, tooManyInterim } from '../../base/network/interim-limit.ts'
import type { Sink, UpstreamReply } from '../model/answer.ts'
import type { Cancellation } from '../model/cancellation.ts'
import { unpackedReply } from './decompress.ts'

const NOTHING = Buffer.alloc(0)
const EARLY_LIMIT = 256 * 1024

/**
 * One HTTP call to an upstream, through undici's bare `dispatch`: no promise and no copy per chunk, back-pressure by
 * pausing the socket. Rejects with undici's error if no response starts, or if it is cancelled: immediately, or,
 * before its request has begun, once it has a connection. A call that is charged continues without its caller once its
 * request is sent.
 */
export function callUpstream(
  pool: Dispatcher,
  options: Dispatcher.DispatchOptions,
  cancellation: Cancellation,
  isCharged = false,
): Promise<UpstreamReply> {
  return new Promise((resolve, reject) => {
    pool.dispatch(
      options,
      new UpstreamCall(cancellation, isCharged, options.headersTimeout || Number.POSITIVE_INFINITY, resolve, reject),
    )
  })
}

/** Repeated headers as one text, as in Node's own client: undici has lists of them. */
function withoutRepeats(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const name in headers) {
    const values = headers[name]
    if (Array.isArray(values)) headers[name] = LISTS.has(name) ? values.join(', ') : values[0]
  }
  return headers
}

/** Lists that count as a whole (RFC 9110 §5.3); of other headers the first counts. */
const LISTS = new Set(['connection', 'content-encoding'])

/** One call and its response. A class, since an object of closures would allocate a dozen of them per request. */
class UpstreamCall implements Dispatcher.DispatchHandler, UpstreamReply {
  status = 0
  headers: IncomingHttpHeaders = {}
  readonly #cancellation: Cancellation
  readonly #isCharged: boolean
  readonly #headersTimeout: number
  readonly #resolve: (reply: UpstreamReply) => void
  readonly #reject: (error: Error) => void
  #controller: Dispatcher.DispatchController | undefined
  /** Buffered until there is a sink. */
  #early: Buffer[] = []
  #earlyBytes = 0
  /** Number of early pieces already returned by `nextBytes`. */
  #seen = 0
  #sink: Sink | undefined
  #over: 'end' | Error | undefined
  #dropped = false
  #sentMs = 0
  #interim = 0
  #waiting: { resolve: (next?: Buffer) => void; reject: (error: Error) => void } | undefined

  constructor(
    cancellation: Cancellation,
    isCharged: boolean,
    headersTimeout: number,
    resolve: (reply: UpstreamReply) => void,
    reject: (error: Error) => void,
  ) {
    this.#cancellation = cancellation
    this.#isCharged = isCharged
    this.#headersTimeout = headersTimeout
    this.#resolve = resolve
    this.#reject = reject
    cancellation.listener = this
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#sentMs = performance.now()
    if (this.#cancellation.ended) this.abandon()
    else if (this.#isCharged) this.#cancellation.sent()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) {
      this.#takeInterim()
      return
    }
    this.status = status
    this.headers = withoutRepeats(headers)
    const packed = headers['content-encoding']
    this.#resolve(packed === undefined || packed === 'identity' ? this : unpackedReply(this, packed))
  }

  /** Interim responses neither end the time limit for headers nor extend it. */
  #takeInterim(): void {
    this.#interim += 1
    if (performance.now() - this.#sentMs > this.#headersTimeout)
      this.#controller?.abort(new errors.HeadersTimeoutError())
    else if (this.#interim > MAX_INTERIM) this.#controller?.abort(tooManyInterim())
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#dropped) return
    if (this.#sink) {
      if (!this.#sink.chunk(bytes)) controller.pause()
      return
    }
    this.#early.push(bytes)
    this.#earlyBytes += bytes.length
    if (this.#earlyBytes > EARLY_LIMIT) controller.pause()
    if (!this.#waiting) return
    this.#seen += 1
    this.#waiting.resolve(bytes)
    this.#waiting = undefined
  }

  onResponseEnd(): void {
    this.detach()
    this.#over = 'end'
    this.#finish()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.detach()
    this.#over ??= error
    this.#finish()
    this.#reject(error)
  }

  detach(): void {
    this.#cancellation.listener = undefined
  }

  nextBytes(): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      const next = this.#early[this.#seen]
      if (next) {
        this.#seen += 1
        return resolve(next)
      }
      if (this.#cancellation.over) return resolve(NOTHING)
      this.#waiting = { resolve, reject }
      this.#finish()
    })
  }

  pipe(taker: Sink): void {
    this.#sink = taker
    let wantsMore = true
    for (const bytes of this.#early) wantsMore = taker.chunk(bytes)
    this.#early = []
    if (!wantsMore) this.#controller?.pause()
    else if (this.#controller?.paused) this.#controller.resume()
    this.#finish()
  }

  resume(): void {
    this.#controller?.resume()
  }

  abort(): void {
    this.#dropped = true
    this.detach()
    this.abandon()
  }

  /** Stops waiting for the first bytes when the caller has left. */
  left(): void {
    this.#waiting?.resolve(NOTHING)
    this.#waiting = undefined
  }

  /** Aborts the call; pending reads reject. */
  abandon(): void {
    this.#controller?.abort(new Error('aborted'))
  }

  /** Settles a pending read, or notifies the sink, if the call is over. */
  #finish(): void {
    const result = this.#over
    if (!result) return
    if (result === 'end') this.#waiting?.resolve()
    else this.#waiting?.reject(result)
    if (!this.#sink || this.#dropped) return
    if (result === 'end') this.#sink.end()
    else this.#sink.fail(result)
  }
}
