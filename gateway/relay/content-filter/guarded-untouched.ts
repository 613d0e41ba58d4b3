import type { Usage } from '../../billing/usage.ts'
import type { AnswerBudget } from '../formats/answer-budget.ts'
import type { AnswerFrame, StreamDecoder, StreamEncoder, StreamPosition } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { hasEnded, type UsageTap } from '../metering/usage-tap.ts'
import { verdictOf } from '../transforms/stream-transforms.ts'
import type { Scrub, StreamTransform, TappedTransform } from '../transforms/transform.ts'
import { AnswerGate, type GateOutput, type Step } from './answer-gate.ts'
import type { AnswerCodec } from './completion-codec.ts'
import { type EventPiece, EventPieces } from './event-pieces.ts'
import type { Guard } from './word-guard.ts'

/**
 * Passes on a stream in the caller's own dialect: unchanged bytes up to a blocked word, followed by the dialect's
 * ending for filtered responses.
 */
export function guardedUntouched(
  guard: Guard,
  speech: AnswerCodec,
  frame: AnswerFrame,
  tap: UsageTap,
  passing: Passing,
): TappedTransform {
  return { transform: new UntouchedTransform(guard, speech, frame, tap, passing), tap }
}

/** How events are passed on: without a usage event that the caller did not request, and without secrets in errors. */
type Passing = Readonly<{ dropUsage: boolean; scrub: Scrub; budget: AnswerBudget }>

type RawStep = Step & EventPiece

class UntouchedTransform implements StreamTransform, GateOutput<RawStep> {
  readonly #guard: Guard
  readonly #closer: StreamCloser
  readonly #decoder: StreamDecoder
  readonly #tap: UsageTap
  readonly #dropUsage: boolean
  readonly #scrub: Scrub
  readonly #budget: AnswerBudget
  readonly #gate: AnswerGate<RawStep>
  readonly #pieces = new EventPieces()
  #out: Buffer[] = []
  /** Also leave out the blank line of an event that is left out. */
  #dropBlank = false

  constructor(
    guard: Guard,
    speech: AnswerCodec,
    frame: AnswerFrame,
    tap: UsageTap,
    { dropUsage, scrub, budget }: Passing,
  ) {
    this.#guard = guard
    this.#closer = new StreamCloser(speech.encodeStream(frame))
    this.#decoder = speech.decodeStream()
    this.#tap = tap
    this.#dropUsage = dropUsage
    this.#scrub = scrub
    this.#budget = budget
    this.#gate = new AnswerGate(guard.words, this)
  }

  feed(bytes: Buffer): Buffer {
    this.#take(this.#pieces.feed(bytes))
    return this.#taken()
  }

  end(): Buffer {
    this.#take(this.#pieces.end())
    this.#gate.end()
    return this.#taken()
  }

  close(usage: Usage): string {
    return this.#tap.observed.filtered ? this.#closer.end(usage, true) : ''
  }

  position(): StreamPosition | undefined {
    return this.#tap.position?.()
  }

  pass({ raw, above, payload, events }: RawStep): void {
    for (const event of events) {
      this.#budget.take(event)
      this.#closer.add(event)
    }
    const verdict = payload === undefined ? undefined : verdictOf(this.#tap, payload, this.#dropUsage, this.#scrub)
    const isDropped = verdict === undefined ? this.#dropBlank : verdict === 'drop'
    this.#dropBlank = verdict === 'drop'
    if (isDropped || verdict === 'cut') return
    if (typeof verdict === 'object') this.#out.push(raw.subarray(0, above), Buffer.from(`data: ${verdict.lastAs}\n\n`))
    else this.#out.push(raw)
    if (verdict === 'last' && raw.at(-1) === LINE_FEED)
      this.#out.push(Buffer.from(raw.at(-2) === RETURN ? '\r\n' : '\n'))
  }

  cut(events: readonly AnswerEvent[], word: string): void {
    let text = ''
    for (const event of events) {
      this.#out.push(Buffer.from(this.#closer.add(event)))
      if ('text' in event) text += event.text
    }
    this.#tap.filter(text)
    this.#guard.note(word)
  }

  hide({ payload }: RawStep): void {
    if (payload !== undefined) this.#tap.payload(payload)
  }

  #take(pieces: readonly EventPiece[]): void {
    for (const piece of pieces) {
      if (hasEnded(this.#tap.observed)) return
      const { payload, raw } = piece
      const events = payload === undefined ? NO_EVENTS : this.#decoder.payload(payload)
      this.#gate.take({ ...piece, size: raw.length, events })
    }
  }

  #taken(): Buffer {
    const out = this.#out
    this.#out = []
    return out.length === 1 ? (out[0] ?? EMPTY) : Buffer.concat(out)
  }
}

const LINE_FEED = 0x0a
const RETURN = 0x0d
const NO_EVENTS: readonly AnswerEvent[] = []
const EMPTY = Buffer.alloc(0)

/** Writes a stream's ending; takes all preceding events to know which choices have not ended. */
export class StreamCloser {
  readonly #encoder: StreamEncoder
  readonly #open = new Set<number>()

  constructor(encoder: StreamEncoder) {
    this.#encoder = encoder
  }

  add(event: AnswerEvent): string {
    if ('choice' in event && event.type !== 'finish') this.#open.add(event.choice)
    else if (event.type === 'finish') this.#open.delete(event.choice)
    return this.#encoder.add(event)
  }

  position(): StreamPosition | undefined {
    return this.#encoder.position?.()
  }

  /** `isFiltered`: every choice that has not ended was filtered. */
  end(usage: Usage, isFiltered: boolean): string {
    let text = ''
    const cut = this.#open.size > 0 ? this.#open : [0]
    if (isFiltered) for (const choice of cut) text += this.#encoder.add({ type: 'finish', choice, reason: 'filter' })
    return text + this.#encoder.end(usage)
  }
}
