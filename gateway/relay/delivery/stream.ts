import type { ServerResponse } from 'node:http'
import type { Usage } from '../../billing/usage.ts'
import { LineTooLong } from '../formats/refusals.ts'
import type { Observed } from '../metering/usage-tap.ts'
import type { Sink } from '../model/answer.ts'
import type { Ending } from '../model/outcome.ts'
import type { RunningStream, StreamDeps } from './running-stream.ts'

/** A comment of server-sent events, which keeps a connection alive (docs/reference/streams.md#pings). */
export const PING = ': PING\n\n'

/**
 * Time an upstream has to send its usage after the caller got everything and left
 * (docs/reference/streams.md#cancellation).
 */
const LINGER_MS = 5000
/** Time for reading, after a slow caller has left, the output that its upstream has already sent. */
const BACKLOG_MS = 1000
/** Max bytes and milliseconds read after the end of a response, so that the connection can be reused. */
const MAX_AFTER_END = 64 * 1024
const AFTER_END_MS = 1000
/** Max bytes of chunks waiting for a slow caller, whatever their number. */
const MAX_QUEUED_BYTES = 1024 * 1024
/** The longest stream that is sent (docs/reference/streams.md#time-outs). */
const MAX_STREAM_BYTES = 64 * 1024 * 1024
/** Max bytes read of a longer stream whose cost is only reported at its end. */
const MAX_READ_BYTES = 4 * MAX_STREAM_BYTES

/**
 * Sends a stream as it arrives. Each chunk is read and written in the same tick; the charge is settled before the chunk
 * that ends the stream, which waits until the text is counted if the upstream reported no usage.
 */
export function deliverStream(deps: StreamDeps): RunningStream {
  const stream = new StreamDelivery(deps)
  const { reply, response } = deps
  reply.detach()
  if (!response.closed) response.once('close', () => stream.callerLeft())
  reply.pipe(stream)
  if (hasEnded(response)) stream.callerLeft()
  return stream
}

/** Whether nothing more can be sent: the caller has left, or was refused while its call was under way. */
export const hasEnded = (response: ServerResponse): boolean => response.closed || response.writableEnded

/**
 * `flowing`: chunks are sent as they arrive, except if `#unsent`; `lingering`: the caller has left, and the upstream is
 * read on for the usage or, if `readsOn`, to its end; `closing`: the ending is known, and the last bytes wait for the
 * count and the charge; `closed`: the caller has its last byte.
 */
type State = 'flowing' | 'lingering' | 'closing' | 'closed'

/** One stream between upstream and caller. A class: one is created per stream, and it listens to both ends itself. */
class StreamDelivery implements RunningStream, Sink {
  readonly finished: Promise<Ending>
  readonly #deps: StreamDeps
  readonly #resolve: (ending: Ending) => void
  #state: State = 'flowing'
  #isCallerGone: boolean
  #isReadOn: boolean
  #isCallerSlow = false
  #queued = 0
  #hasWritten = false
  #received = 0
  #afterEnd = 0
  #last = NOTHING
  /** How the response ends, and its last bytes, while the upstream is read on although nothing more is sent. */
  #unsent: Readonly<{ ending: Ending; last: Buffer | string }> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(deps: StreamDeps) {
    const { promise, resolve } = Promise.withResolvers<Ending>()
    this.#deps = deps
    this.#isCallerGone = hasEnded(deps.response)
    this.#isReadOn = deps.readsOn()
    this.finished = promise
    this.#resolve = resolve
  }

  /** Returns false if the caller has to read first. */
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
    const { tap, reply, transform, isCovered, line } = this.#deps
    line?.take(bytes)
    const forward = transform.feed(bytes)
    this.#received += bytes.length
    if (this.#received > MAX_STREAM_BYTES) this.#exceed()
    else if (this.#unsent) this.#takeUnsent()
    else if ((!this.#isCallerGone || this.#isReadOn) && !isCovered()) this.#cut('quota')
    else if (tap.observed.filtered) this.#cut('filtered', forward)
    else if (tap.observed.done || tap.observed.error) {
      this.#closeByTap(forward)
      this.#timer = setTimeout(reply.abort.bind(reply), AFTER_END_MS)
    } else return this.#write(forward)
    return true
  }

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
    if (this.#unsent) this.#closeUnsent()
    else if (error) this.#closeByTap(left)
    else this.#close(ending, finished || filtered ? left : this.#failure(ending, left))
  }

  fail(error: Error): void {
    clearTimeout(this.#timer)
    if (this.#deps.tap.observed.done) this.#close(this.#ending())
    else this.#breakOff(/Timeout/.test(error.name) ? 'upstream-timeout' : 'upstream-broken')
  }

  stop(): void {
    this.#breakOff('stopped')
  }

  timeUp(): void {
    if (!this.#isEnding() && !this.#unsent) this.#cut('stopped')
  }

  dismiss(): void {
    if (this.#isEnding() || this.#isCallerGone) return
    if (this.#deps.readsOn() || this.#isCallerSlow) this.#leaveCaller('stopped')
    else {
      this.#deps.reply.abort()
      this.#close('client-gone', this.#failure('stopped'))
    }
  }

  expire(): void {
    if (this.#isEnding() || this.#unsent) return
    const { tap, reply } = this.#deps
    if (tap.observed.done) {
      reply.abort()
      this.#close(this.#ending())
    } else this.#cut('upstream-timeout')
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

  /** Handles the caller's disconnect (docs/reference/streams.md#cancellation). */
  callerLeft(): void {
    this.#isCallerGone = true
    if (this.#isEnding() || this.#unsent) return
    const { tap, reply, readsOn } = this.#deps
    const isFinished = tap.observed.finished && !tap.observed.usage
    const isToEnd = readsOn()
    this.#isReadOn = isToEnd || this.#isCallerSlow
    if (isFinished || this.#isReadOn) {
      this.#state = 'lingering'
      if (!isToEnd) this.#timer = setTimeout(() => this.#leave(), isFinished ? LINGER_MS : BACKLOG_MS)
      reply.resume()
    } else this.#leave()
  }

  /**
   * Stops sending. If the cost is not known yet, the upstream is read to its end, so that the caller cannot hide it
   * behind a limit of its own key or behind a blocked word (docs/reference/billing.md#cut-streams).
   */
  #cut(ending: 'quota' | 'filtered' | 'stopped' | 'upstream-timeout', forward: Buffer | string = NOTHING): void {
    const { tap, reply, readsOnUnsent } = this.#deps
    const isOver = tap.observed.done || tap.observed.error !== null
    if (!isOver && readsOnUnsent()) {
      this.#write(forward)
      this.#unsent = { ending, last: ending === 'filtered' ? NOTHING : this.#failure(ending) }
      const isLate = ending === 'stopped' || ending === 'upstream-timeout'
      if (isLate && !this.#isCallerGone) this.#leaveCaller(ending)
      reply.resume()
    } else if (ending === 'filtered') {
      reply.abort()
      this.#close(this.#ending(), forward)
    } else this.#breakOff(ending)
  }

  #takeUnsent(): void {
    const { tap, reply } = this.#deps
    if (!tap.observed.done && !tap.observed.error) return
    this.#closeUnsent()
    this.#timer = setTimeout(reply.abort.bind(reply), AFTER_END_MS)
  }

  #closeUnsent(): void {
    const { ending = 'stopped', last = NOTHING } = this.#unsent ?? {}
    this.#close(this.#isCallerGone ? 'client-gone' : ending, last)
  }

  #isEnding(): boolean {
    return this.#state === 'closing' || this.#state === 'closed'
  }

  #leave(): void {
    this.#deps.reply.abort()
    this.#close('client-gone')
  }

  /** Reads data after the end, so that the connection can be reused; stops at a limit. */
  #ignore(bytes: Buffer): boolean {
    this.#afterEnd += bytes.length
    if (this.#afterEnd > MAX_AFTER_END) this.#deps.reply.abort()
    return true
  }

  /** Stops sending; reads the upstream on if it reports the usage only at the end. */
  #exceed(): void {
    const readsOn = this.#unsent ? this.#deps.readsOnUnsent() : this.#deps.readsOn()
    if (!readsOn && this.#isCallerGone && !this.#unsent) this.#leave()
    else if (!readsOn || this.#received > MAX_READ_BYTES) this.#breakOff('upstream-broken')
    else if (this.#unsent) this.#takeUnsent()
    else if (!this.#isCallerGone) this.#leaveCaller('upstream-broken')
  }

  /** Ends the response early and continues without its caller. */
  #leaveCaller(ending: Ending): void {
    this.#deps.response.end(this.#failure(ending))
    this.callerLeft()
  }

  /** Ends a stream that cannot be read any further. Must not throw into the upstream's call, which would never end. */
  #fail(error: unknown): void {
    if (error instanceof LineTooLong) this.#deps.tap.unread()
    else this.#deps.onFault(error)
    this.#breakOff('upstream-broken')
  }

  /** Returns false if the caller reads too slowly; resumes the upstream once it has read everything. */
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

  /** Records bytes that are sent now, and returns them. */
  #noted(bytes: Buffer | string): Buffer | string {
    if (!this.#hasWritten) this.#deps.onFirst()
    this.#hasWritten = true
    this.#last = bytes
    this.#deps.recording?.add(bytes)
    return bytes
  }

  /**
   * Returns the ending of a response that its upstream ended: after a failure, a caller who left is not charged more
   * for leaving.
   */
  #ending(): Ending {
    const ending = endingOf(this.#deps.tap.observed)
    return this.#isCallerGone && ending === 'complete' ? 'client-gone' : ending
  }

  #breakOff(ending: Ending): void {
    this.#deps.reply.abort()
    if (this.#isEnding()) return
    if (this.#unsent) {
      this.#closeUnsent()
      return
    }
    const hasFailed = ending.startsWith('upstream') && !this.#deps.tap.observed.finished
    if (this.#isCallerGone) this.#close(hasFailed ? ending : 'client-gone')
    else this.#close(ending, this.#failure(ending))
  }

  /** The bytes that close a response that broke off, possibly within an event, after what is left to send. */
  #failure(ending: Ending, left: Buffer | string = NOTHING): Buffer | string {
    const event = this.#closed(this.#deps.brokenEvent(ending, false))
    const isWithin = event !== '' && !endsEvent(joined(this.#last, left.toString()))
    return joined(left, isWithin ? `\n\n${event}` : event)
  }

  #closed(event: string): string {
    const { transform } = this.#deps
    return transform.fail ? transform.fail(event) : event
  }

  /**
   * Closes the response at its end or at an error; an error that the upstream's own event has reported is not repeated.
   */
  #closeByTap(forward: Buffer | string): void {
    const { tap, isTranslated } = this.#deps
    const { error, unreadable } = tap.observed
    const ending = this.#ending()
    const hasPassed = !isTranslated && !unreadable
    const last = error ? this.#closed(this.#deps.brokenEvent(ending, hasPassed)) : ''
    this.#close(ending, last === '' ? forward : joined(forward, last))
  }

  /** Settles once everything is counted, at once if nothing needs counting, and then sends the last bytes. */
  #close(ending: Ending, last: Buffer | string = ''): void {
    if (this.#isEnding()) return
    this.#state = 'closing'
    clearTimeout(this.#timer)
    const { count, onFault } = this.#deps
    const counting = ending === 'stopped' ? undefined : count(ending)
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

  /** Sends the last bytes and, for a charged response that is complete or filtered, the format's closing events. */
  #finish(ending: Ending, last: Buffer | string, usage: Usage | undefined): void {
    const { transform, onFault } = this.#deps
    const isComplete = ending === 'complete' || ending === 'filtered'
    let closing = ''
    try {
      if (usage && isComplete && !this.#isCallerGone) closing = transform.close(usage)
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
    // An empty last chunk would cost a separate write.
    if (!this.#isCallerGone && bytes.length === 0) response.end()
    else if (!this.#isCallerGone) response.end(this.#noted(bytes))
    this.#resolve(ending)
  }
}

const NOTHING: Buffer | string = ''

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
