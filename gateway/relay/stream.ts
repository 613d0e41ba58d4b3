import type { ServerResponse } from 'node:http'
import type { UpstreamReply } from './exchange.ts'
import { createLineReader, type LineReader, LineTooLong } from './sse.ts'
import type { UsageTap } from './usage-tap.ts'

/** How an answer ended, as the receipt says it. */
export type Ending = 'complete' | 'client-gone' | 'upstream-broken' | 'upstream-timeout' | 'upstream-error' | 'stopped'

export type StreamDeps = Readonly<{
  reply: UpstreamReply
  response: ServerResponse
  tap: UsageTap
  /** Leave the usage event out: the gateway asked for it, the caller did not. */
  dropUsage: boolean
  /** Charges what was delivered; called once, before the last byte goes out. */
  settle: (ending: Ending) => void
  /** The bytes that tell the caller the stream broke, in its dialect. */
  brokenEvent: (ending: Ending) => string
  /** The same bytes without the channel's key and address; asked only where the upstream reports an error. */
  withoutSecrets: (bytes: Buffer) => Buffer
  /** Called when the first bytes go out. */
  onFirst: () => void
  /** Told of an unexpected fault of ours; the stream is ended as broken. */
  onFault: (error: unknown) => void
}>

/** A stream on its way; the sweep checks it every second. */
export interface RunningStream {
  readonly finished: Promise<Ending>
  /** Ends the stream from this side: the gateway stops, or it ran too long. */
  stop(): void
  /** Anything the caller would pay for has been produced. */
  produced(): boolean
}

/** How long an upstream may still send its usage after the caller has everything and is gone (spec/relay.md §6.6). */
const LINGER_MS = 5000
/** The longest stream that is sent on (design/reliability-security.md §5). */
const LONGEST_STREAM = 64 * 1024 * 1024

/**
 * Sends a stream on as it comes. Each chunk is read by the tap and written in the same tick, untouched unless the usage
 * event must be left out; the charge is settled before the chunk that ends the stream.
 */
export function deliverStream(deps: StreamDeps): RunningStream {
  const { reply, response, tap } = deps
  const { promise: finished, resolve } = Promise.withResolvers<Ending>()
  const reader = createLineReader((payload) => (tap.payload(payload) && deps.dropUsage ? 'drop' : 'keep'), tap.plain)
  const state = { settled: false, over: false, gone: false, started: false, bytes: 0 }
  let linger: NodeJS.Timeout | undefined

  const settle = (ending: Ending) => {
    if (state.settled) return
    state.settled = true
    try {
      deps.settle(ending)
    } catch (error) {
      deps.onFault(error)
    }
  }
  const finish = (ending: Ending, last?: Buffer | string) => {
    if (state.over) return
    state.over = true
    clearTimeout(linger)
    settle(ending)
    if (!state.gone) endWith(response, last)
    resolve(ending)
  }
  const broke = (ending: Ending) => {
    reply.abort()
    finish(state.gone ? 'client-gone' : ending, state.gone ? undefined : deps.brokenEvent(ending))
  }
  reply.own()
  response.once('close', () => {
    if (state.over) return
    state.gone = true
    const wait = tap.seen.finished && !tap.seen.usage ? LINGER_MS : 0
    const leave = () => {
      reply.abort()
      finish('client-gone')
    }
    if (wait === 0) return leave()
    linger = setTimeout(leave, wait)
    reply.resume()
  })
  response.on('drain', () => reply.resume())
  reply.pipe({
    chunk(bytes) {
      if (state.over) return true
      const forward = feed(reader, bytes, deps.onFault)
      state.bytes += bytes.length
      if (forward === null || state.bytes > LONGEST_STREAM) {
        broke('upstream-broken')
        return true
      }
      if (tap.seen.done || tap.seen.error) settle(tap.seen.error ? 'upstream-error' : 'complete')
      if (state.gone) return true
      if (!state.started) deps.onFirst()
      state.started = true
      return forward.length === 0 || response.write(tap.seen.error ? deps.withoutSecrets(forward) : forward)
    },
    end() {
      const rest = reader.end()
      finish(endingOf(tap, state.gone), tap.seen.error ? deps.withoutSecrets(rest) : rest)
    },
    fail(error) {
      if (tap.seen.done) finish(endingOf(tap, state.gone))
      else broke(/Timeout/.test(error.name) ? 'upstream-timeout' : 'upstream-broken')
    },
  })
  return {
    finished,
    stop: () => broke('stopped'),
    produced: tap.produced,
  }
}

/** An empty last chunk would cost a write of its own. */
function endWith(response: ServerResponse, last: Buffer | string | undefined): void {
  if (last === undefined || last.length === 0) response.end()
  else response.end(last)
}

/** The bytes to send on; null when the stream cannot be read any further. */
function feed(reader: LineReader, bytes: Buffer, onFault: (error: unknown) => void): Buffer | null {
  try {
    return reader.feed(bytes)
  } catch (error) {
    if (!(error instanceof LineTooLong)) onFault(error)
    return null
  }
}

function endingOf(tap: UsageTap, gone: boolean): Ending {
  if (gone) return 'client-gone'
  if (tap.seen.error) return 'upstream-error'
  return tap.seen.finished ? 'complete' : 'upstream-broken'
}
