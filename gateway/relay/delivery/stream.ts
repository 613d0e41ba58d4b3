import type { ServerResponse } from 'node:http'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Usage } from '../../billing/usage.ts'
import { LineTooLong } from '../formats/refusals.ts'
import type { Observed } from '../metering/usage-tap.ts'
import type { Sink, UpstreamReply } from '../model/answer.ts'
import type { Ending } from '../model/outcome.ts'
import type { Recording } from '../response-cache/recording.ts'
import type { StreamTransform } from '../transforms/transform.ts'

export type StreamDeps = Readonly<{
  reply: UpstreamReply
  response: ServerResponse
  transform: StreamTransform
  tap: Readonly<{ observed: Readonly<Observed>; produced(): boolean }>
  /** Whether what has come so far is paid for; asked after each chunk, which does not go out where it is not. */
  isCovered: () => boolean
  /** What it costs only its end tells: it is read to it though its caller leaves (docs/reference/billing.md#disconnected-callers). */
  readsOn: boolean
  /** Counts what the upstream left uncounted; undefined where there is nothing to count. */
  count: () => Promise<void> | undefined
  /** Charges what was delivered, and answers it once that is durable; called once, and the last byte waits for it. */
  settle: (ending: Ending) => MaybePromise<Usage>
  /** Until what was kept of the answer can be asked for; the last byte waits for it. */
  found: () => MaybePromise<void>
  /**
   * The bytes that tell the caller the stream broke, in its dialect; what is left to be said where the upstream's own
   * error event has passed.
   */
  brokenEvent: (ending: Ending, hasPassed: boolean) => string
  /** The transform writes again what it reads, so an error inside the stream has to be told to the caller. */
  isTranslated: boolean
  /** How many chunks are taken from the upstream for a caller that reads slowly; 0 for none. */
  queueLength: number
  /** Where the answer is written down as it goes out. */
  recording: Recording | undefined
  /** Called when the first bytes go out. */
  onFirst: () => void
  /** Told of an unexpected fault of ours; the stream is ended as broken. */
  onFault: (error: unknown) => void
}>

/** A stream on its way; the supervisor checks it every second. */
export interface RunningStream {
  readonly finished: Promise<Ending>
  /** Ends the stream from this side: the gateway stops, or it ran too long. */
  stop(): void
  /** Ends the stream since it took longer in all than one call may. */
  expire(): void
  /** Writes a comment where that is between two events and the caller reads what there is. */
  ping(): void
  /** How many bytes have come from the upstream. */
  received(): number
  /** Anything the caller would pay for has been produced. */
  produced(): boolean
}

/**
 * A comment of server-sent events, which keeps a connection in use and tells nothing
 * (docs/reference/streams.md#pings).
 */
export const PING = ': PING\n\n'

/**
 * How long an upstream may still send its usage after the caller has everything and is gone
 * (docs/reference/streams.md#cancellation).
 */
const LINGER_MS = 5000
/** What an upstream may still send after the end of its answer, and for how long, so that its connection can be used again. */
const MAX_AFTER_END = 64 * 1024
const AFTER_END_MS = 1000
/** However many chunks may wait for a slow caller, they take no more than this. */
const MAX_QUEUED_BYTES = 1024 * 1024
/** The longest stream that is sent on (docs/reference/streams.md#time-outs). */
const MAX_STREAM_BYTES = 64 * 1024 * 1024

/**
 * Sends a stream on as it comes. Each chunk is read and written in the same tick; the charge is settled before the chunk
 * that ends the stream, which waits where an upstream gave no figures until its text is counted.
 */
export function deliverStream(deps: StreamDeps): RunningStream {
  const stream = new StreamDelivery(deps)
  const { reply, response } = deps
  reply.detach()
  if (!response.closed) response.once('close', () => stream.callerLeft())
  reply.pipe(stream)
  if (response.closed) stream.callerLeft()
  return stream
}

/**
 * `flowing`: chunks go on as they come; `lingering`: the caller is gone, and the upstream may still send its usage, or all that
 * its answer costs; `closing`: how it ended is known and what came last waits for the count and the charge; `closed`: the caller has its last
 * byte.
 */
type State = 'flowing' | 'lingering' | 'closing' | 'closed'

/** One stream between upstream and caller. A class: one is made for each, and it listens to both ends itself. */
class StreamDelivery implements RunningStream, Sink {
  readonly finished: Promise<Ending>
  readonly #deps: StreamDeps
  readonly #resolve: (ending: Ending) => void
  #state: State = 'flowing'
  #isCallerGone: boolean
  #isCallerSlow = false
  #queued = 0
  #hasWritten = false
  #received = 0
  #afterEnd = 0
  #last = NOTHING
  #timer: NodeJS.Timeout | undefined

  constructor(deps: StreamDeps) {
    const { promise, resolve } = Promise.withResolvers<Ending>()
    this.#deps = deps
    this.#isCallerGone = deps.response.closed
    this.finished = promise
    this.#resolve = resolve
  }

  /** A chunk of the upstream's; false where the caller has to read first. */
  chunk(bytes: Buffer): boolean {
    if (this.#isEnding()) return this.#ignore(bytes)
    try {
      return this.#take(bytes)
    } catch (error) {
      this.#fail(error)
      return true
    }
  }

  #take(bytes: Buffer): boolean {
    const { tap, reply, transform, isCovered, readsOn } = this.#deps
    const forward = transform.feed(bytes)
    this.#received += bytes.length
    if (this.#received > MAX_STREAM_BYTES) this.#breakOff('upstream-broken')
    else if ((!this.#isCallerGone || readsOn) && !isCovered()) this.#breakOff('quota')
    else if (tap.observed.filtered) {
      reply.abort()
      this.#close(this.#ending(), forward)
    } else if (tap.observed.done || tap.observed.error) {
      this.#closeByTap(forward)
      this.#timer = setTimeout(reply.abort.bind(reply), AFTER_END_MS)
    } else return this.#write(forward)
    return true
  }

  /** The upstream has ended its answer. */
  end(): void {
    clearTimeout(this.#timer)
    if (this.#isEnding()) return
    try {
      this.#takeEnd()
    } catch (error) {
      this.#fail(error)
    }
  }

  #takeEnd(): void {
    const { tap, transform } = this.#deps
    const left = transform.end()
    const { error, finished, filtered } = tap.observed
    const ending = this.#ending()
    if (error) this.#closeByTap(left)
    else this.#close(ending, finished || filtered ? left : this.#failure(ending, left))
  }

  /** The upstream's answer has broken off. */
  fail(error: Error): void {
    clearTimeout(this.#timer)
    if (this.#deps.tap.observed.done) this.#close(this.#ending())
    else this.#breakOff(/Timeout/.test(error.name) ? 'upstream-timeout' : 'upstream-broken')
  }

  stop(): void {
    this.#breakOff('stopped')
  }

  expire(): void {
    const { tap, reply } = this.#deps
    reply.abort()
    if (tap.observed.done) this.#close(this.#ending())
    else this.#breakOff('upstream-timeout')
  }

  ping(): void {
    const { response } = this.#deps
    const isQuiet = this.#state === 'flowing' && !response.writableNeedDrain
    if (isQuiet && endsEvent(this.#last)) response.write(PING)
  }

  received(): number {
    return this.#received
  }

  produced(): boolean {
    return this.#deps.tap.produced()
  }

  /** The caller's connection has closed; one that has everything but the figures is lingered for. */
  callerLeft(): void {
    this.#isCallerGone = true
    if (this.#isEnding()) return
    const { tap, reply, readsOn } = this.#deps
    const isWhole = tap.observed.finished && !tap.observed.usage
    if (isWhole || readsOn) {
      this.#state = 'lingering'
      if (!readsOn) this.#timer = setTimeout(() => this.#leave(), LINGER_MS)
      reply.resume()
    } else this.#leave()
  }

  #isEnding(): boolean {
    return this.#state === 'closing' || this.#state === 'closed'
  }

  #leave(): void {
    this.#deps.reply.abort()
    this.#close('client-gone')
  }

  /** What comes after the end, so that the connection can be used again; not without an end. */
  #ignore(bytes: Buffer): boolean {
    this.#afterEnd += bytes.length
    if (this.#afterEnd > MAX_AFTER_END) this.#deps.reply.abort()
    return true
  }

  /** The stream cannot be read any further. Nothing leaves the sink: who delivers would leave the call without an end. */
  #fail(error: unknown): void {
    if (!(error instanceof LineTooLong)) this.#deps.onFault(error)
    this.#breakOff('upstream-broken')
  }

  /** False where the caller reads too slowly for more; it goes on once that has read what there is. */
  #write(bytes: Buffer | string): boolean {
    const { response, reply, queueLength } = this.#deps
    if (this.#isCallerGone || bytes.length === 0 || response.write(this.#noted(bytes))) return true
    if (!this.#isCallerSlow)
      response.once('drain', () => {
        this.#isCallerSlow = false
        this.#queued = 0
        reply.resume()
      })
    this.#isCallerSlow = true
    this.#queued += 1
    return this.#queued <= queueLength && response.writableLength <= MAX_QUEUED_BYTES
  }

  /** Notes bytes that go out now, and answers them. */
  #noted(bytes: Buffer | string): Buffer | string {
    if (!this.#hasWritten) this.#deps.onFirst()
    this.#hasWritten = true
    this.#last = bytes
    this.#deps.recording?.add(bytes)
    return bytes
  }

  /** How an answer ended that its upstream has ended: one that failed costs nobody more for having left. */
  #ending(): Ending {
    const ending = endingOf(this.#deps.tap.observed)
    return this.#isCallerGone && ending === 'complete' ? 'client-gone' : ending
  }

  #breakOff(ending: Ending): void {
    this.#deps.reply.abort()
    if (this.#isEnding()) return
    const hasFailed = ending.startsWith('upstream') && !this.#deps.tap.observed.finished
    if (this.#isCallerGone) this.#close(hasFailed ? ending : 'client-gone')
    else this.#close(ending, this.#failure(ending))
  }

  /** What closes an answer that broke off, perhaps within an event, behind what is left to send of it. */
  #failure(ending: Ending, left: Buffer | string = NOTHING): Buffer | string {
    const event = this.#closed(this.#deps.brokenEvent(ending, false))
    const isWithin = event !== '' && !endsEvent(joined(this.#last, left.toString()))
    return joined(left, isWithin ? `\n\n${event}` : event)
  }

  #closed(event: string): string {
    const { transform } = this.#deps
    return transform.fail ? transform.fail(event) : event
  }

  /** The answer has come to its end, or to an error; what an event of the upstream's own has told is not told again. */
  #closeByTap(forward: Buffer | string): void {
    const { tap, isTranslated } = this.#deps
    const { error, unreadable } = tap.observed
    const ending = this.#ending()
    const hasPassed = !isTranslated && !unreadable
    const last = error ? this.#closed(this.#deps.brokenEvent(ending, hasPassed)) : ''
    this.#close(ending, last === '' ? forward : joined(forward, last))
  }

  /** Settles, once everything is counted, and sends what came last; at once where nothing needs counting. */
  #close(ending: Ending, last: Buffer | string = ''): void {
    if (this.#isEnding()) return
    this.#state = 'closing'
    clearTimeout(this.#timer)
    const { count, onFault } = this.#deps
    const counting = ending === 'stopped' || ending === 'quota' ? undefined : count()
    if (counting) void counting.catch(onFault).then(() => this.#settle(ending, last))
    else this.#settle(ending, last)
  }

  #settle(ending: Ending, last: Buffer | string): void {
    const { settle, onFault } = this.#deps
    let usage: Usage | undefined
    try {
      const settled = settle(ending)
      if (settled instanceof Promise) {
        settled.then(
          (charged) => this.#finish(ending, last, charged),
          (error) => {
            onFault(error)
            this.#finish(ending, last, undefined)
          },
        )
        return
      }
      usage = settled
    } catch (error) {
      onFault(error)
    }
    this.#finish(ending, last, usage)
  }

  /** Sends what came last and what closes it, which nothing does where the charge failed. */
  #finish(ending: Ending, last: Buffer | string, usage: Usage | undefined): void {
    const { transform, onFault } = this.#deps
    const isWhole = ending === 'complete' || ending === 'filtered'
    let closing = ''
    try {
      if (usage && isWhole && !this.#isCallerGone) closing = transform.close(usage)
    } catch (error) {
      onFault(error)
    }
    const bytes = closing === '' ? last : joined(last, closing)
    const found = this.#deps.found()
    if (found instanceof Promise) void found.catch(onFault).then(() => this.#end(ending, bytes))
    else this.#end(ending, bytes)
  }

  #end(ending: Ending, bytes: Buffer | string): void {
    const { response } = this.#deps
    this.#state = 'closed'
    // An empty last chunk would cost a write of its own.
    if (!this.#isCallerGone && bytes.length === 0) response.end()
    else if (!this.#isCallerGone) response.end(this.#noted(bytes))
    this.#resolve(ending)
  }
}

const NOTHING: Buffer | string = ''

/** Whether what was written ends with a blank line, or nothing has been written yet. */
function endsEvent(last: Buffer | string): boolean {
  const end = typeof last === 'string' ? last.slice(-4) : last.toString('latin1', Math.max(last.length - 4, 0))
  return end === '' || /\r?\n\r?\n$/.test(end)
}

const joined = (a: Buffer | string, b: string): Buffer | string =>
  typeof a === 'string' ? a + b : Buffer.concat([a, Buffer.from(b)])

function endingOf({ filtered, error, finished }: Readonly<Observed>): Ending {
  if (filtered) return 'filtered'
  if (error) return 'upstream-error'
  return finished ? 'complete' : 'upstream-broken'
}
