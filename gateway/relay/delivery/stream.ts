import type { ServerResponse } from 'node:http'
import type { Usage } from '../../billing/usage.ts'
import { LineTooLong } from '../formats/longest-line.ts'
import type { Observed } from '../metering/usage-tap.ts'
import type { Ending } from '../model/outcome.ts'
import type { UpstreamReply } from '../model/upstream-reply.ts'
import type { StreamTransform } from '../transforms/transform.ts'

export type StreamDeps = Readonly<{
  reply: UpstreamReply
  response: ServerResponse
  transform: StreamTransform
  tap: Readonly<{ observed: Readonly<Observed>; produced(): boolean }>
  /** Whether what has come so far is paid for; asked after each chunk, which does not go out where it is not. */
  isCovered: () => boolean
  /** Counts what the upstream left uncounted; undefined where there is nothing to count. */
  count: () => Promise<void> | undefined
  /** Charges what was delivered, and answers it; called once, before the last byte goes out. */
  settle: (ending: Ending) => Usage
  /** The bytes that tell the caller the stream broke, in its dialect. */
  brokenEvent: (ending: Ending) => string
  /** The transform writes anew what it reads, so an error inside the stream has to be told to the caller. */
  isTranslated: boolean
  /** The form of the answer is the gateway's own, so that an answer that broke has to be ended properly. */
  isOwn: boolean
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
  /** The same since it took longer in all than one call may. */
  expire(): void
  /** Writes a comment where that is between two events and the caller reads what there is. */
  ping(): void
  /** How many bytes have come from the upstream. */
  received(): number
  /** Anything the caller would pay for has been produced. */
  produced(): boolean
}

/** A comment of server-sent events, which keeps a connection in use and tells nothing (spec/relay.md §7.5). */
export const PING = ': PING\n\n'

/** How long an upstream may still send its usage after the caller has everything and is gone (spec/relay.md §6.6). */
const LINGER_MS = 5000
/** What an upstream may still send after the end of its answer, and for how long, so that its connection can be used again. */
const MOST_AFTER_END = 64 * 1024
const AFTER_END_MS = 1000
/** The longest stream that is sent on (design/reliability-security.md §5). */
const LONGEST_STREAM = 64 * 1024 * 1024

/**
 * Sends a stream on as it comes. Each chunk is read and written in the same tick; the charge is settled before the chunk
 * that ends the stream, which waits where an upstream gave no figures until its text is counted.
 */
export function deliverStream(deps: StreamDeps): RunningStream {
  const { reply, response, tap, transform } = deps
  const { promise: finished, resolve } = Promise.withResolvers<Ending>()
  const state = {
    settled: false,
    over: false,
    gone: false,
    full: false,
    started: false,
    bytes: 0,
    after: 0,
    closing: '',
    last: NOTHING,
  }
  let linger: NodeJS.Timeout | undefined

  const settle = (ending: Ending) => {
    if (state.settled) return
    state.settled = true
    try {
      const usage = deps.settle(ending)
      if ((ending === 'complete' || ending === 'filtered') && !state.gone) state.closing = transform.close(usage)
    } catch (error) {
      deps.onFault(error)
    }
  }
  const ready = (bytes: Buffer | string) => {
    if (!state.started) deps.onFirst()
    state.started = true
    state.last = bytes
    return bytes
  }
  /** Answers false where the caller reads too slowly for more; it goes on once that has read what there is. */
  const write = (bytes: Buffer | string) => {
    if (state.gone || bytes.length === 0 || response.write(ready(bytes))) return true
    if (!state.full) response.once('drain', refill)
    state.full = true
    return false
  }
  const refill = () => {
    state.full = false
    reply.resume()
  }
  /** Settles once everything is counted; at once where nothing needs counting. */
  const settled = (ending: Ending, then: () => void) => {
    const counting = ending === 'stopped' || ending === 'quota' ? undefined : deps.count()
    if (!counting) {
      settle(ending)
      return then()
    }
    counting.finally(() => {
      settle(ending)
      then()
    })
  }
  const finish = (ending: Ending, last: Buffer | string = '') => {
    if (state.over) return
    state.over = true
    clearTimeout(linger)
    settled(ending, () => {
      if (!state.gone) endWith(response, state.closing === '' ? last : joined(last, state.closing), ready)
      resolve(ending)
    })
  }
  const broke = (ending: Ending) => {
    reply.abort()
    finish(state.gone ? 'client-gone' : ending, state.gone ? '' : told(ending))
  }
  /** What closes an answer that broke; of the upstream's own error events that pass, nothing is told again. */
  const told = (ending: Ending, isTold = false): string => {
    const event = isTold ? '' : deps.brokenEvent(ending)
    return transform.fail ? transform.fail(event) : event
  }
  /** The answer has come to its end, or to an error, in what is sent on last. */
  const ended = (forward: Buffer | string) => {
    const { error, unreadable } = tap.observed
    const ending = endingOf(tap.observed, state.gone)
    const last = error ? told(ending, !deps.isTranslated && !unreadable) : ''
    finish(ending, last === '' ? forward : joined(forward, last))
  }
  reply.own()
  response.once('close', () => {
    if (state.over) {
      state.gone = true
      return
    }
    state.gone = true
    const wait = tap.observed.finished && !tap.observed.usage ? LINGER_MS : 0
    const leave = () => {
      reply.abort()
      finish('client-gone')
    }
    if (wait === 0) return leave()
    linger = setTimeout(leave, wait)
    reply.resume()
  })
  reply.pipe({
    chunk(bytes) {
      if (state.over) {
        state.after += bytes.length
        if (state.after > MOST_AFTER_END) reply.abort()
        return true
      }
      const forward = feed(transform, bytes, deps.onFault)
      state.bytes += bytes.length
      if (forward === null || state.bytes > LONGEST_STREAM) {
        broke('upstream-broken')
        return true
      }
      if (!state.settled && !state.gone && !deps.isCovered()) {
        broke('quota')
        return true
      }
      if (tap.observed.filtered) {
        reply.abort()
        finish(endingOf(tap.observed, state.gone), forward)
        return true
      }
      if (tap.observed.done || tap.observed.error) {
        ended(forward)
        linger = setTimeout(reply.abort.bind(reply), AFTER_END_MS)
        return true
      }
      return write(forward)
    },
    end() {
      clearTimeout(linger)
      if (state.over) return
      const rest = transform.end()
      if (tap.observed.error) return ended(rest)
      const broken = deps.isOwn && !tap.observed.finished && !tap.observed.filtered
      const ending = endingOf(tap.observed, state.gone)
      finish(ending, broken ? joined(rest, told(ending)) : rest)
    },
    fail(error) {
      clearTimeout(linger)
      if (tap.observed.done) finish(endingOf(tap.observed, state.gone))
      else broke(/Timeout/.test(error.name) ? 'upstream-timeout' : 'upstream-broken')
    },
  })
  return {
    finished,
    stop: () => broke('stopped'),
    expire() {
      if (!tap.observed.done) return broke('upstream-timeout')
      reply.abort()
      finish(endingOf(tap.observed, state.gone))
    },
    ping() {
      const isQuiet = !state.over && !state.gone && !response.writableNeedDrain
      if (isQuiet && endsEvent(state.last)) response.write(PING)
    },
    received: () => state.bytes,
    produced: tap.produced,
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

/** An empty last chunk would cost a write of its own. */
function endWith(
  response: ServerResponse,
  last: Buffer | string,
  ready: (bytes: Buffer | string) => Buffer | string,
): void {
  if (last.length === 0) response.end()
  else response.end(ready(last))
}

/** What to send on; null when the stream cannot be read any further. */
function feed(transform: StreamTransform, bytes: Buffer, onFault: (error: unknown) => void): Buffer | string | null {
  try {
    return transform.feed(bytes)
  } catch (error) {
    if (!(error instanceof LineTooLong)) onFault(error)
    return null
  }
}

function endingOf(observed: Readonly<Observed>, gone: boolean): Ending {
  if (gone) return 'client-gone'
  if (observed.filtered) return 'filtered'
  if (observed.error) return 'upstream-error'
  return observed.finished ? 'complete' : 'upstream-broken'
}
