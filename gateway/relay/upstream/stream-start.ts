import type { Clock } from '../../base/clock.ts'
import { objectIn, parsed } from '../../base/json/json.ts'
import type { FrameReader, StreamDecoder, Wire } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { LineTooLong } from '../formats/refusals.ts'
import { createLineReader } from '../formats/sse.ts'
import type { UpstreamReply } from '../model/answer.ts'
import type { Cancellation, Ticker, Timed } from '../model/cancellation.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Provider } from '../providers/provider.ts'
import { errorOf } from './answer-json.ts'
import { transportError } from './gather.ts'
import { saysNothing } from './silent-events.ts'
import { errorInAnswer, readError, toldInAnswer, type UpstreamError } from './upstream-error.ts'

export type StartDeps = Readonly<{ supervisor: Ticker; clock: Clock }>

/** How a stream is read: by whom it is sent, for which endpoint, and by which wire where it is written again. */
type StreamSource = Readonly<{ provider: Provider; wire: Wire | undefined; upstreamEndpoint: Endpoint }>

/**
 * Waits until a stream says something, so that one that breaks or fails before can still go to another channel; throws then.
 * What has come is delivered by `reply.pipe` all the same. One that says nothing for three seconds, or in so many bytes, or
 * whose caller leaves, goes on as it is (docs/reference/streams.md#start-of-a-stream).
 */
export async function begin(
  deps: StartDeps,
  reply: UpstreamReply,
  source: StreamSource,
  asker: Pick<Cancellation, 'over'>,
): Promise<void> {
  const start = new StreamStart(source)
  let hold: Hold | undefined
  try {
    for (;;) {
      const bytes = await (hold ? Promise.race([nextOf(reply), hold.over]) : nextOf(reply))
      if (bytes === OVER) start.end()
      if (bytes === OVER || bytes === GONE) return
      if (bytes === undefined && !start.end()) throw transportError(new Error('the stream ended and said nothing'))
      if (bytes === undefined || !start.isSilent(bytes)) return
      hold ??= new Hold(deps, asker)
    }
  } catch (cause) {
    reply.abort()
    throw cause
  } finally {
    hold?.leave()
  }
}

/** Waits for the first bytes of an answer that is no stream of events; throws where there are none. */
export async function beginBytes(reply: UpstreamReply): Promise<void> {
  if ((await nextOf(reply)) === undefined) throw transportError(new Error('the body is empty'))
}

async function nextOf(reply: UpstreamReply): Promise<Buffer | typeof GONE | undefined> {
  try {
    const bytes = await reply.nextBytes()
    return bytes?.length === 0 ? GONE : bytes
  } catch (cause) {
    throw transportError(cause)
  }
}

/**
 * How long a stream that says nothing is held back: errors that vendors tell behind the beginning come with it or soon
 * after, and a caller who sees nothing for so long takes no stream for dead. No word waits for it.
 */
const HOLD_MS = 3000
/** The most that is held back: a beginning that repeats a long request twice. Less than a reply takes before its taker is there. */
const HOLD_BYTES = 128 * 1024
/** In as many pieces at most: each is kept by itself until it is delivered. */
const HOLD_PIECES = 1000

const OVER = 'over'
const GONE = 'gone'

/** The time for which a beginning is held back. */
class Hold implements Timed {
  readonly over: Promise<typeof OVER>
  readonly leave: () => void
  readonly #end: (over: typeof OVER) => void
  readonly #asker: Pick<Cancellation, 'over'>
  readonly #untilMs: number

  constructor({ supervisor, clock }: StartDeps, asker: Pick<Cancellation, 'over'>) {
    this.#asker = asker
    const { promise, resolve } = Promise.withResolvers<typeof OVER>()
    this.over = promise
    this.#end = resolve
    this.#untilMs = clock.monotonic() + HOLD_MS
    this.leave = supervisor.watch(this)
  }

  tick(nowMs: number): void {
    if (this.#asker.over || nowMs >= this.#untilMs) this.#end(OVER)
  }
}

/** What has come of a stream that has said nothing yet. */
class StreamStart {
  readonly #source: StreamSource
  readonly #frames: FrameReader | undefined
  readonly #lines = createLineReader((payload) => (this.#isSilent(payload) ? 'keep' : 'cut'))
  /** Reads events of a vendor's own wire. */
  readonly #decoder: StreamDecoder | undefined
  /** All that came, of vendors whose errors are looked for in several events. */
  #text = ''
  #size = 0
  #pieces = 0
  #looks = 0
  #hasSaid = false

  constructor(source: StreamSource) {
    this.#source = source
    this.#frames = source.wire?.frames?.()
    this.#decoder = source.upstreamEndpoint === 'own' ? source.wire?.decodeStream() : undefined
  }

  /** Whether it says nothing with these bytes either; throws the error that they tell. */
  isSilent(bytes: Buffer): boolean {
    this.#size += bytes.length
    this.#pieces += 1
    this.#failIfMarked(bytes)
    this.#read(() => (this.#frames ?? this.#lines).feed(bytes))
    if (this.#hasSaid || (this.#size < HOLD_BYTES && this.#pieces < HOLD_PIECES)) return !this.#hasSaid
    this.end()
    return false
  }

  /** Whether what has come of an event that is not whole says something; throws the error that it tells. */
  end(): boolean {
    this.#read(() => (this.#frames ?? this.#lines).end())
    return this.#hasSaid
  }

  #read(read: () => Buffer | readonly string[]): void {
    try {
      const payloads = read()
      if (Array.isArray(payloads)) payloads.every((payload) => this.#isSilent(payload))
    } catch (cause) {
      if (!(cause instanceof LineTooLong)) throw cause
      this.#hasSaid = true
    }
  }

  #isSilent(payload: string): boolean {
    if (this.#hasSaid) return false
    const { provider, upstreamEndpoint } = this.#source
    const error = errorIn(payload, provider, upstreamEndpoint)
    if (error) throw error
    const isSilent = this.#decoder ? areSilent(this.#decoder.payload(payload)) : saysNothing(upstreamEndpoint, payload)
    this.#hasSaid = !isSilent
    return isSilent
  }

  #failIfMarked(bytes: Buffer): void {
    const { provider } = this.#source
    if (!provider.errorMark) return
    this.#text += bytes.toString()
    // A mark is short: of what has been looked at before only as much as it may have begun in.
    const isMarked = provider.errorMark.test(this.#text.slice(-(bytes.length + MAX_MARK_LENGTH)))
    if (!isMarked || this.#looks >= MAX_LOOKS) return
    this.#looks += 1
    const error = errorOf(
      [...this.#text.matchAll(DATA)].map(([, data = '']) => parsed(data)),
      provider,
    )
    if (error) throw error
  }
}

const MAX_MARK_LENGTH = 256
/** How often all that has come is read for an error: honest vendors mark one. */
const MAX_LOOKS = 16

const DATA = /^data: ?(.*)$/gm
const CUT_ERROR = /^\{\s*"error"\s*:\s*[{"]/

/** The error that an event is; `"error": null` is none. */
function errorIn(payload: string, provider: Provider, upstreamEndpoint: Endpoint): UpstreamError | undefined {
  const isOwn = provider.errorIn !== undefined && provider.errorMark === undefined
  if (!isOwn && !payload.includes('"error"') && !payload.includes('"response.failed"')) return undefined
  const json = parsed(payload)
  if (json === undefined) return CUT_ERROR.test(payload) ? readError(502, payload) : undefined
  if (isOwn) return errorOf(json, provider)
  const { type, response } = objectIn(json)
  return errorInAnswer(upstreamEndpoint === 'responses' && type === 'response.failed' ? response : json)
}

/** Whether these events of a vendor's own wire say nothing; throws the error among them. */
function areSilent(events: readonly AnswerEvent[]): boolean {
  for (const event of events) {
    if (event.type === 'error' && !event.isUnreadable) {
      const { message } = event.error
      throw toldInAnswer(typeof message === 'string' ? message : '', { ...event.error })
    }
    const isSilent = event.type === 'start' || event.type === 'usage' || (event.type === 'text' && event.text === '')
    if (!isSilent) return false
  }
  return true
}
