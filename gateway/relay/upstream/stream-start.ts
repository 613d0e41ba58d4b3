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
import { isEmptyEvent } from './silent-events.ts'
import { errorInAnswer, errorInResponse, readError, type UpstreamError } from './upstream-error.ts'

export type StartDeps = Readonly<{ supervisor: Ticker; clock: Clock }>

/** How a stream is read; `wire` is set if it is rewritten. */
type StreamSource = Readonly<{ provider: Provider; wire: Wire | undefined; upstreamEndpoint: Endpoint }>

/**
 * Waits until a stream has content; throws if it fails before, so that the call can still go to another channel.
 * `reply.pipe` delivers the bytes read so far as well. A stream without content continues unchanged after three
 * seconds, a number of bytes or pieces, or if its caller leaves (docs/reference/streams.md#start-of-a-stream).
 */
export async function begin(
  deps: StartDeps,
  reply: UpstreamReply,
  source: StreamSource,
  cancellation: Pick<Cancellation, 'over'>,
): Promise<void> {
  const start = new StreamStart(source)
  let hold: HoldPeriod | undefined
  try {
    for (;;) {
      const bytes = await (hold ? Promise.race([nextOf(reply), hold.over]) : nextOf(reply))
      if (bytes === OVER) start.end()
      if (bytes === OVER || bytes === DISCONNECTED) return
      if (bytes === undefined && !start.end()) throw transportError(new Error('the stream ended without content'))
      if (bytes === undefined || !start.isSilent(bytes)) return
      hold ??= new HoldPeriod(deps, cancellation)
    }
  } catch (cause) {
    reply.abort()
    throw cause
  } finally {
    hold?.leave()
  }
}

/** Waits for the first bytes of a response that is not an event stream; throws if it is empty. */
export async function beginBytes(reply: UpstreamReply): Promise<void> {
  if ((await nextOf(reply)) === undefined) throw transportError(new Error('the body is empty'))
}

async function nextOf(reply: UpstreamReply): Promise<Buffer | typeof DISCONNECTED | undefined> {
  try {
    const bytes = await reply.nextBytes()
    return bytes?.length === 0 ? DISCONNECTED : bytes
  } catch (cause) {
    throw transportError(cause)
  }
}

/**
 * How long a stream without content is held back: early errors of vendors come within this time, and clients do not
 * time out. Content is never delayed.
 */
const HOLD_MS = 3000
/**
 * Bytes held back: enough for a beginning that repeats a long request twice, and less than a reply buffers before it
 * has a reader.
 */
const HOLD_BYTES = 128 * 1024
/** Pieces held back: each is buffered separately until delivery. */
const HOLD_PIECES = 1000

const OVER = 'over'
const DISCONNECTED = 'gone'

class HoldPeriod implements Timed {
  readonly over: Promise<typeof OVER>
  readonly leave: () => void
  readonly #end: (over: typeof OVER) => void
  readonly #requester: Pick<Cancellation, 'over'>
  readonly #untilMs: number

  constructor({ supervisor, clock }: StartDeps, cancellation: Pick<Cancellation, 'over'>) {
    this.#requester = cancellation
    const { promise, resolve } = Promise.withResolvers<typeof OVER>()
    this.over = promise
    this.#end = resolve
    this.#untilMs = clock.monotonic() + HOLD_MS
    this.leave = supervisor.watch(this)
  }

  tick(nowMs: number): void {
    if (this.#requester.over || nowMs >= this.#untilMs) this.#end(OVER)
  }
}

class StreamStart {
  readonly #source: StreamSource
  readonly #frames: FrameReader | undefined
  readonly #lines = createLineReader((payload) => (this.#isSilent(payload) ? 'keep' : 'cut'))
  /** Decodes events of a vendor-specific wire. */
  readonly #decoder: StreamDecoder | undefined
  /** Everything received, for vendors whose errors span several events. */
  #text = ''
  #size = 0
  #pieces = 0
  #looks = 0
  #hasContent = false

  constructor(source: StreamSource) {
    this.#source = source
    this.#frames = source.wire?.frames?.()
    this.#decoder = source.upstreamEndpoint === 'own' ? source.wire?.decodeStream() : undefined
  }

  /**
   * Whether to wait for more: the stream has no content with these bytes, and is within the limits. Throws an error
   * contained in them.
   */
  isSilent(bytes: Buffer): boolean {
    this.#size += bytes.length
    this.#pieces += 1
    this.#failIfMarked(bytes)
    this.#read(() => (this.#frames ?? this.#lines).feed(bytes))
    if (this.#hasContent || (this.#size < HOLD_BYTES && this.#pieces < HOLD_PIECES)) return !this.#hasContent
    this.end()
    return false
  }

  /**
   * Reads the incomplete last event, and returns whether the stream has content; throws an error contained in the
   * event.
   */
  end(): boolean {
    this.#read(() => (this.#frames ?? this.#lines).end())
    return this.#hasContent
  }

  #read(read: () => Buffer | readonly string[]): void {
    try {
      const payloads = read()
      if (Array.isArray(payloads)) payloads.every((payload) => this.#isSilent(payload))
    } catch (cause) {
      if (!(cause instanceof LineTooLong)) throw cause
      this.#hasContent = true
    }
  }

  #isSilent(payload: string): boolean {
    if (this.#hasContent) return false
    const { provider, upstreamEndpoint } = this.#source
    const error = errorIn(payload, provider, upstreamEndpoint)
    if (error) throw error
    const isSilent = this.#decoder ? areSilent(this.#decoder.payload(payload)) : isEmptyEvent(upstreamEndpoint, payload)
    this.#hasContent = !isSilent
    return isSilent
  }

  #failIfMarked(bytes: Buffer): void {
    const { provider } = this.#source
    if (!provider.errorMark) return
    this.#text += bytes.toString()
    // A mark is short: search the new bytes, and before them only where it may have started.
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
/** How often everything received is parsed for an error: honest vendors mark an error once. */
const MAX_LOOKS = 16

const DATA = /^data: ?(.*)$/gm
const CUT_ERROR = /^\{\s*"error"\s*:\s*[{"]/

function errorIn(payload: string, provider: Provider, upstreamEndpoint: Endpoint): UpstreamError | undefined {
  const isOwn = provider.errorIn !== undefined && provider.errorMark === undefined
  if (!isOwn && !payload.includes('"error"') && !payload.includes('"response.failed"')) return undefined
  const json = parsed(payload)
  if (json === undefined) return CUT_ERROR.test(payload) ? readError(502, payload) : undefined
  if (isOwn) return errorOf(json, provider)
  const { type, response } = objectIn(json)
  return errorInAnswer(upstreamEndpoint === 'responses' && type === 'response.failed' ? response : json)
}

/** Whether these events of a vendor-specific wire have no content; throws an error among them. */
function areSilent(events: readonly AnswerEvent[]): boolean {
  for (const event of events) {
    if (event.type === 'error' && !event.isUnreadable) {
      const { message } = event.error
      throw errorInResponse(typeof message === 'string' ? message : '', { ...event.error })
    }
    const isSilent = event.type === 'start' || event.type === 'usage' || (event.type === 'text' && event.text === '')
    if (!isSilent) return false
  }
  return true
}
