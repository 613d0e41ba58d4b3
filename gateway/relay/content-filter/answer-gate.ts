import { yieldToOthers } from '../../base/fair-yield.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { LineTooLong, MAX_LINE_LENGTH } from '../formats/refusals.ts'
import type { WordList, WordReader } from './word-list.ts'

/** A piece of an answer as it came, its size in bytes or characters, and what it says. */
export type Step = Readonly<{ size: number; events: readonly AnswerEvent[] }>

export interface GateOutput<S extends Step> {
  /** Sends a step on. */
  pass(step: S): void
  /** Ends the answer: these events come before the word, the last of them cut where it begins. Nothing follows. */
  cut(events: readonly AnswerEvent[], word: string): void
}

/** Where a text of a choice has come to. `pieces` hold the end of it, as far as that may begin a word. */
type Lane<S> = { kind: string; reader: WordReader; pieces: Piece<S>[] }
type Piece<S> = Readonly<{ step: S; index: number; text: string }>

/**
 * Reads what an answer says for blocked words, each choice by itself and across the pieces it comes in
 * (docs/reference/limits.md#blocked-words). Steps go on in their order, those that may hold the beginning of a word as
 * soon as it shows that they do not. A class: one is made for every answer.
 */
export class AnswerGate<S extends Step> {
  readonly #words: WordList
  readonly #output: GateOutput<S>
  readonly #lanes = new Map<number, Lane<S>>()
  /** Steps in their order; those before `#next` have gone on. */
  #waiting: S[] = []
  #next = 0
  /** The size of those that have not. */
  #held = 0
  #isShut = false

  constructor(words: WordList, output: GateOutput<S>) {
    this.#words = words
    this.#output = output
  }

  /** Throws `LineTooLong` for a step that says more than may be read in one turn of the event loop, or where too much waits. */
  take(step: S): void {
    let parts = 0
    for (const _ of this.#reading(step)) {
      parts += 1
      if (parts > MAX_PARTS) throw new LineTooLong('an event of the stream says too much')
    }
  }

  /** As `take`, with turns for others while a step of any length is read. */
  async takeInTurns(step: S): Promise<void> {
    for (const _ of this.#reading(step)) await yieldToOthers()
  }

  /** Pauses after each `PART`. */
  *#reading(step: S): Generator<void> {
    if (this.#isShut) return
    if (this.#waiting.length - this.#next >= MAX_STEPS || this.#held > MAX_LINE_LENGTH)
      throw new LineTooLong('too much of the stream waits for the end of a word')
    this.#waiting.push(step)
    this.#held += step.size
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

  /** The answer has ended: what was begun is no word any more. */
  end(): void {
    this.#lanes.clear()
    this.#release()
  }

  /** The lane of what an event says, whose last piece that is; undefined where it says nothing. */
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

  /** `start` is where the word begins, counted from the beginning of the last piece. */
  #cut(pieces: readonly Piece<S>[], start: number, word: string): void {
    let place = pieces.length - 1
    let at = start
    while (at < 0 && place > 0) {
      place -= 1
      at += pieces[place]?.text.length ?? 0
    }
    const piece = pieces[place]
    if (!piece) return
    this.#isShut = true
    const { step, index, text } = piece
    for (const before of this.#waiting.slice(this.#next, this.#waiting.indexOf(step))) this.#output.pass(before)
    this.#forget(this.#waiting.length)
    const event = step.events[index]
    const rest = at > 0 && event && 'text' in event ? [{ ...event, text: text.slice(0, at) }] : []
    // How likely its tokens were would tell the word.
    const whole = step.events.slice(0, index).filter(({ type }) => type !== 'logprobs')
    this.#output.cut([...whole, ...rest], word)
  }

  #release(): void {
    const held = new Set<S | undefined>()
    for (const { pieces } of this.#lanes.values()) held.add(pieces[0]?.step)
    let next = this.#next
    for (let step = this.#waiting[next]; step && !held.has(step); step = this.#waiting[next]) {
      this.#output.pass(step)
      this.#held -= step.size
      next += 1
    }
    this.#forget(next)
  }

  /** Steps before that one have gone on. They are removed once they are most of what is kept. */
  #forget(next: number): void {
    const isMost = next > this.#waiting.length / 2
    if (isMost) this.#waiting = next === this.#waiting.length ? [] : this.#waiting.slice(next)
    this.#next = isMost ? 0 : next
  }
}

/** As many wait at most: honest vendors go on with a word in one of the next. */
const MAX_STEPS = 10_000
/** Characters read before others have their turn. */
const PART = 512 * 1024
/** Two million characters: honest vendors send at most some hundred thousand in one event. */
const MAX_PARTS = 4

/** What a reader of the answer sees as text. */
function spokenIn(event: AnswerEvent): string | undefined {
  if (event.type === 'media') return event.transcript
  return event.type === 'text' || event.type === 'refusal' || event.type === 'reasoning' ? event.text : undefined
}

/** Forgets the pieces that no word can begin in any more. */
function trim<S>({ reader, pieces }: Lane<S>): void {
  const pending = reader.pending()
  let size = 0
  let kept = 0
  while (size < pending && kept < pieces.length) {
    kept += 1
    size += pieces[pieces.length - kept]?.text.length ?? 0
  }
  pieces.splice(0, pieces.length - kept)
}
