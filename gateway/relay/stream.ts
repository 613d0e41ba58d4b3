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
  /** Called when the first bytes go out. */
  onFirst: () => void
}>

/** A stream on its way; the sweep checks it every second. */
export interface RunningStream {
  readonly finished: Promise<Ending>
  /** Ends the stream from this side: the gateway stops, or it ran too long. */
  stop(): void
  readonly produced: boolean
}

/** How long an upstream may still send its usage after the caller has everything and is gone (spec/relay.md §6.6). */
const LINGER_MS = 5000
const DONE = '[DONE]'

/**
 * Sends a stream on as it comes. Each chunk is read by the tap and written in the same tick, untouched unless the usage
 * event must be left out; the charge is settled before the chunk that ends the stream.
 */
export function deliverStream(deps: StreamDeps): RunningStream {
  const { reply, response, tap } = deps
  const { promise: finished, resolve } = Promise.withResolvers<Ending>()
  const reader = createLineReader((payload) => readPayload(tap, payload, deps.dropUsage), deps.dropUsage)
  const state = { settled: false, over: false, gone: false, started: false }
  let linger: NodeJS.Timeout | undefined

  const settle = (ending: Ending) => {
    if (state.settled) return
    state.settled = true
    deps.settle(ending)
  }
  const finish = (ending: Ending, last?: Buffer | string) => {
    if (state.over) return
    state.over = true
    clearTimeout(linger)
    settle(ending)
    if (!state.gone) response.end(last)
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
    const wait = tap.finished && !tap.reported ? LINGER_MS : 0
    const leave = () => {
      reply.abort()
      finish('client-gone')
    }
    if (wait === 0) leave()
    else linger = setTimeout(leave, wait)
  })
  response.on('drain', () => reply.resume())
  reply.pipe({
    chunk(bytes) {
      if (state.over) return true
      const forward = feed(reader, bytes)
      if (forward === null) {
        broke('upstream-broken')
        return true
      }
      if (tap.done || tap.error) settle(tap.error ? 'upstream-error' : 'complete')
      if (state.gone) return true
      if (!state.started) deps.onFirst()
      state.started = true
      return forward.length === 0 || response.write(forward)
    },
    end: () => finish(endingOf(tap, state.gone), state.gone ? undefined : reader.end()),
    fail: (error) => broke(/Timeout/.test(error.name) ? 'upstream-timeout' : 'upstream-broken'),
  })
  return {
    finished,
    stop: () => broke('stopped'),
    get produced() {
      return tap.produced
    },
  }
}

function feed(reader: LineReader, bytes: Buffer): Buffer | null {
  try {
    return reader.feed(bytes)
  } catch (error) {
    if (error instanceof LineTooLong) return null
    throw error
  }
}

function endingOf(tap: UsageTap, gone: boolean): Ending {
  if (gone) return 'client-gone'
  if (tap.error) return 'upstream-error'
  return tap.finished ? 'complete' : 'upstream-broken'
}

/** Shows the tap one event; says to drop the event that holds usage alone when the caller did not ask for it. */
function readPayload(tap: UsageTap, payload: string, dropUsage: boolean): 'keep' | 'drop' {
  if (payload.startsWith(DONE)) {
    tap.markDone()
    return 'keep'
  }
  let json: unknown
  try {
    json = JSON.parse(payload)
  } catch {
    return 'keep'
  }
  tap.event(json)
  return dropUsage && holdsUsageAlone(json) ? 'drop' : 'keep'
}

const holdsUsageAlone = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  'usage' in json &&
  json.usage !== null &&
  'choices' in json &&
  Array.isArray(json.choices) &&
  json.choices.length === 0
