import type { AnswerEvent } from '../formats/events.ts'
import type { WordList, WordReader } from './word-list.ts'

/** A piece of an answer as it came, and what it says. */
export type Step = Readonly<{ events: readonly AnswerEvent[] }>

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
  #waiting: S[] = []
  #isShut = false

  constructor(words: WordList, output: GateOutput<S>) {
    this.#words = words
    this.#output = output
  }

  take(step: S): void {
    if (this.#isShut) return
    this.#waiting.push(step)
    for (const [index, event] of step.events.entries()) if (this.#read(step, index, event)) return
    this.#release()
  }

  /** The answer has ended: what was begun is no word any more. */
  end(): void {
    this.#lanes.clear()
    this.#release()
  }

  /** Answers true where the event completed a word. */
  #read(step: S, index: number, event: AnswerEvent): boolean {
    if (event.type === 'error' || event.type === 'done') this.#lanes.clear()
    if (!('choice' in event)) return false
    if (event.type === 'finish' || event.type === 'tool') this.#lanes.delete(event.choice)
    const text = spokenIn(event)
    if (!text) return false
    const lane = this.#laneOf(event.choice, event.type)
    lane.pieces.push({ step, index, text })
    const hit = lane.reader.read(text)
    if (hit) this.#cut(lane.pieces, hit.end - hit.word.length, hit.word)
    else trim(lane)
    return hit !== undefined
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
    for (const before of this.#waiting.slice(0, this.#waiting.indexOf(step))) this.#output.pass(before)
    this.#waiting = []
    const event = step.events[index]
    const rest = at > 0 && event && 'text' in event ? [{ ...event, text: text.slice(0, at) }] : []
    // How likely its tokens were would tell the word.
    const whole = step.events.slice(0, index).filter(({ type }) => type !== 'logprobs')
    this.#output.cut([...whole, ...rest], word)
  }

  #release(): void {
    const held = new Set<S | undefined>()
    for (const { pieces } of this.#lanes.values()) held.add(pieces[0]?.step)
    let count = 0
    for (const step of this.#waiting) {
      if (held.has(step)) break
      this.#output.pass(step)
      count += 1
    }
    this.#waiting = this.#waiting.slice(count)
  }
}

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
