import { yieldToOthers } from '../../base/fair-yield.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { LineTooLong, MAX_LINE_LENGTH } from '../formats/refusals.ts'
import type { WordList, WordReader } from './word-list.ts'

export type Step = Readonly<{ size: number; events: readonly AnswerEvent[] }>

export interface GateOutput<S extends Step> {
  pass(step: S): void
  /** Ends the response: these events precede the word, and the last of them is cut before it. */
  cut(events: readonly AnswerEvent[], word: string): void
  /** A step after the word, which is not sent. */
  hide?(step: S): void
}

/**
 * The reading position in a text of a choice. `pieces`: the last pieces of the text, if they may contain the beginning
 * of a word.
 */
type Lane<S> = { kind: string; reader: WordReader; pieces: Piece<S>[] }
type Piece<S> = Readonly<{ step: S; index: number; text: string }>

/**
 * Checks a response for blocked words, in each choice separately and across pieces
 * (docs/reference/limits.md#blocked-words). Steps are sent in order; one that may contain the beginning of a word is
 * sent once it is clear that it does not. A class: one is created for each response.
 */
export class AnswerGate<S extends Step> {
  readonly #words: WordList
  readonly #output: GateOutput<S>
  readonly #lanes = new Map<number, Lane<S>>()
  /** Steps in order; those before `#next` have been sent. */
  #waiting: S[] = []
  #next = 0
  #waitingSize = 0
  #isShut = false

  constructor(words: WordList, output: GateOutput<S>) {
    this.#words = words
    this.#output = output
  }

  /** Throws `LineTooLong` for a step with more text than may be read without yielding, or if too much is waiting. */
  take(step: S): void {
    let parts = 0
    for (const _ of this.#reading(step)) {
      parts += 1
      if (parts > MAX_PARTS) throw new LineTooLong('an event of the stream is too long')
    }
  }

  /** Like `take`, but for steps of any length, yielding to other requests. */
  async takeYielding(step: S): Promise<void> {
    for (const _ of this.#reading(step)) await yieldToOthers()
  }

  /** Yields after each `PART`. */
  *#reading(step: S): Generator<void> {
    if (this.#isShut) return this.#output.hide?.(step)
    if (this.#waiting.length - this.#next >= MAX_STEPS || this.#waitingSize > MAX_LINE_LENGTH)
      throw new LineTooLong('too much of the stream waits for the end of a word')
    this.#waiting.push(step)
    this.#waitingSize += step.size
    let read = 0
    for (const [index, event] of step.events.entries()) {
      const lane = this.#laneFor(step, index, event)
      const text = lane?.pieces.at(-1)?.text ?? ''
      for (let at = 0; lane && at < text.length; at += PART) {
        const hit = lane.reader.read(at === 0 && text.length <= PART ? text : text.slice(at, at + PART))
        if (hit) return this.#cut(lane.pieces, at + hit.end - hit.word.length, hit.word)
        read += Math.min(PART, text.length - at)
        if (read < PART) continue
        read = 0
        yield
      }
      if (lane) trim(lane)
    }
    this.#release()
  }

  /** The response has ended: the beginning of a word can no longer be completed. */
  end(): void {
    this.#lanes.clear()
    this.#release()
  }

  #laneFor(step: S, index: number, event: AnswerEvent): Lane<S> | undefined {
    if (event.type === 'error' || event.type === 'done') this.#lanes.clear()
    if (!('choice' in event)) return undefined
    if (event.type === 'finish' || event.type === 'tool') this.#lanes.delete(event.choice)
    const text = spokenIn(event)
    if (!text) return undefined
    const lane = this.#laneOf(event.choice, event.type)
    lane.pieces.push({ step, index, text })
    return lane
  }

  #laneOf(choice: number, kind: string): Lane<S> {
    const known = this.#lanes.get(choice)
    if (known?.kind === kind) return known
    const lane = { kind, reader: this.#words.reader(), pieces: [] }
    this.#lanes.set(choice, lane)
    return lane
  }

  /** `start` is the offset of the word, relative to the beginning of the last piece. */
  #cut(pieces: readonly Piece<S>[], start: number, word: string): void {
    let pieceIndex = pieces.length - 1
    let at = start
    while (at < 0 && pieceIndex > 0) {
      pieceIndex -= 1
      at += pieces[pieceIndex]?.text.length ?? 0
    }
    const piece = pieces[pieceIndex]
    if (!piece) return
    this.#isShut = true
    const { step, index, text } = piece
    for (const before of this.#waiting.slice(this.#next, this.#waiting.indexOf(step))) this.#output.pass(before)
    this.#forget(this.#waiting.length)
    const event = step.events[index]
    const rest = at > 0 && event && 'text' in event ? [{ ...event, text: text.slice(0, at) }] : []
    // Log probabilities would reveal the word.
    const whole = step.events.slice(0, index).filter(({ type }) => type !== 'logprobs')
    this.#output.cut([...whole, ...rest], word)
  }

  #release(): void {
    const pendingSteps = new Set<S | undefined>()
    for (const { pieces } of this.#lanes.values()) pendingSteps.add(pieces[0]?.step)
    let next = this.#next
    for (let step = this.#waiting[next]; step && !pendingSteps.has(step); step = this.#waiting[next]) {
      this.#output.pass(step)
      this.#waitingSize -= step.size
      next += 1
    }
    this.#forget(next)
  }

  /** Marks the steps before `next` as sent. Removes them once they are more than half. */
  #forget(next: number): void {
    const isMajority = next > this.#waiting.length / 2
    if (isMajority) this.#waiting = next === this.#waiting.length ? [] : this.#waiting.slice(next)
    this.#next = isMajority ? 0 : next
  }
}

/** Max waiting steps; well-behaved vendors complete a word within a few. */
const MAX_STEPS = 10_000
/** Characters read before yielding. */
const PART = 512 * 1024
/**
 * Max parts of one step, two million characters: well-behaved vendors send at most some hundred thousand in one event.
 */
const MAX_PARTS = 4

function spokenIn(event: AnswerEvent): string | undefined {
  if (event.type === 'media') return event.transcript
  return event.type === 'text' || event.type === 'refusal' || event.type === 'reasoning' ? event.text : undefined
}

function trim<S>({ reader, pieces }: Lane<S>): void {
  const pending = reader.pending()
  let size = 0
  let count = 0
  while (size < pending && count < pieces.length) {
    count += 1
    size += pieces[pieces.length - count]?.text.length ?? 0
  }
  pieces.splice(0, pieces.length - count)
}
