import type { Usage } from '../../billing/usage.ts'
import type { AnswerBudget } from '../formats/answer-budget.ts'
import type {
  AnswerFrame,
  Codec,
  FrameReader,
  StreamDecoder,
  StreamEncoder,
  StreamPosition,
  Wire,
} from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { dataFrames } from '../formats/sse.ts'
import type { EventTap } from '../metering/event-tap.ts'
import { hasEnded } from '../metering/usage-tap.ts'
import type { StreamTransform, TappedTransform } from '../transforms/transform.ts'
import { AnswerGate, type GateOutput, type Step } from './answer-gate.ts'
import { StreamCloser } from './guarded-untouched.ts'
import type { Guard } from './word-guard.ts'

/** Converts a stream to the caller's dialect, event by event, up to a blocked word. */
export function guardedTranslated(
  guard: Guard,
  from: Wire,
  to: Codec,
  frame: AnswerFrame,
  tap: EventTap,
  budget: AnswerBudget,
): TappedTransform {
  return { transform: new TranslatedTransform(guard, from, to.encodeStream(frame), tap, budget), tap }
}

class TranslatedTransform implements StreamTransform, GateOutput<Step> {
  readonly #guard: Guard
  readonly #closer: StreamCloser
  readonly #decoder: StreamDecoder
  readonly #frames: FrameReader
  readonly #tap: EventTap
  readonly #gate: AnswerGate<Step>
  readonly #budget: AnswerBudget
  #out = ''

  constructor(guard: Guard, from: Wire, encoder: StreamEncoder, tap: EventTap, budget: AnswerBudget) {
    this.#guard = guard
    this.#budget = budget
    this.#closer = new StreamCloser(encoder)
    this.#decoder = from.decodeStream()
    this.#frames = from.frames?.() ?? dataFrames()
    this.#tap = tap
    this.#gate = new AnswerGate(guard.words, this)
  }

  feed(bytes: Buffer): string {
    return this.#read(this.#frames.feed(bytes))
  }

  end(): string {
    const text = this.#read(this.#frames.end())
    this.#gate.end()
    return text + this.#taken()
  }

  close(usage: Usage): string {
    return this.#closer.end(usage, this.#tap.observed.filtered === true)
  }

  position(): StreamPosition | undefined {
    return this.#closer.position()
  }

  pass({ events }: Step): void {
    for (const event of events) this.#send(event)
  }

  cut(events: readonly AnswerEvent[], word: string): void {
    for (const event of events) this.#send(event)
    this.#tap.filter('')
    this.#guard.note(word)
  }

  hide({ events }: Step): void {
    for (const event of events) this.#tap.take(event)
  }

  #send(event: AnswerEvent): void {
    this.#budget.take(event)
    this.#tap.take(event)
    this.#out += this.#closer.add(event)
  }

  #read(payloads: readonly string[]): string {
    for (const payload of payloads) {
      if (hasEnded(this.#tap.observed)) break
      this.#gate.take({ size: payload.length, events: this.#decoder.payload(payload) })
    }
    return this.#taken()
  }

  #taken(): string {
    const out = this.#out
    this.#out = ''
    return out
  }
}
