import type { Wire } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { createBracketEnd, type JsonEnd } from './json-end.ts'
import { createUnwrapper, type Unwrapper } from './unwrapped-json.ts'

/** How an answer in JSON was asked for that the vendor does not give of itself (docs/reference/conversion.md#structured-output). */
export type StructuredAnswer = Readonly<{
  /** The tool whose arguments are the answer; absent where the model was told to write JSON. */
  tool?: string
  /** The arguments hold the answer as their one member, `WRAPPING`. */
  isWrapped?: boolean
}>

/**
 * A wire whose answers have the arguments of the answer tool as their text: what comes in pieces goes on in pieces. Calls of
 * the caller's own tools stay calls, and a model that answers in words is passed on in its words.
 */
export const structuredWire = (wire: Wire, answer: StructuredAnswer): Wire => ({
  ...wire,
  decodeAnswer(json) {
    const reader = new AnswerReader(answer)
    return [...wire.decodeAnswer(json).flatMap((event) => reader.read(event)), ...reader.end()]
  },
  decodeStream() {
    const [decoder, reader] = [wire.decodeStream(), new AnswerReader(answer)]
    return { payload: (text) => decoder.payload(text).flatMap((event) => reader.read(event)) }
  },
})

type ToolEvent = Extract<AnswerEvent, { type: 'tool' }>

/**
 * What is known of one choice. `open`: nothing decides yet what its text is; `text`: its text is its answer; `answered`: the
 * answer has come, by its tool or in the text, and what else is said is no part of it.
 */
type Choice = {
  state: 'open' | 'text' | 'answered'
  /** Text that waits until it is known what it is. */
  held: string
  /** The upstream's calls by their places: the place among the caller's own, the answer, or one that is not passed on. */
  calls: Map<number, number | 'answer' | 'ignored'>
  /** How many calls of the caller's own tools there are. */
  own: number
  unwrapper: Unwrapper | undefined
  /** Tells where JSON in the text ends; absent where the text is none. */
  end: JsonEnd | undefined
  hasSaid: boolean
}

/** Reads the events of one answer. A class: one is made for each. */
class AnswerReader {
  readonly #answer: StructuredAnswer
  readonly #choices = new Map<number, Choice>()
  /** How text begins, or what it holds, that is an answer in words. */
  readonly #worded: RegExp

  constructor(answer: StructuredAnswer) {
    this.#answer = answer
    this.#worded = answer.tool === undefined || answer.isWrapped ? WORDED : OBJECT_WORDED
  }

  read(event: AnswerEvent): readonly AnswerEvent[] {
    if (event.type === 'text') return this.#text(event.choice, event.text)
    if (event.type === 'tool') return this.#tool(event)
    if (event.type === 'finish') return this.#finished(event)
    if (event.type === 'done' || event.type === 'error') return [...this.end(), event]
    return [event]
  }

  /** What still waits where an answer ends without saying so. */
  end(): readonly AnswerEvent[] {
    return [...this.#choices.keys()].flatMap((choice) => this.#settled(choice))
  }

  #choice(index: number): Choice {
    const known = this.#choices.get(index)
    if (known) return known
    const unwrapper = this.#answer.isWrapped ? createUnwrapper() : undefined
    const choice: Choice = {
      state: 'open',
      held: '',
      calls: new Map(),
      own: 0,
      unwrapper,
      end: undefined,
      hasSaid: false,
    }
    this.#choices.set(index, choice)
    return choice
  }

  /**
   * Text that begins as JSON is the answer; any other waits for a while, since a call of the answer tool may follow: not
   * long, for what waits is not counted.
   */
  #text(index: number, text: string): readonly AnswerEvent[] {
    const choice = this.#choice(index)
    if (choice.state === 'text') return inText(index, choice, text)
    if (choice.state === 'answered') return thought(index, text)
    choice.held += text
    const isOver = choice.held.length > MAX_HELD
    const begins = this.#answer.tool === undefined ? this.#worded : BEGINS_AS_OBJECT
    return isOver || begins.test(choice.held) ? begun(index, choice, this.#worded) : []
  }

  #tool(event: ToolEvent): readonly AnswerEvent[] {
    const choice = this.#choice(event.choice)
    const place = choice.calls.get(event.call)
    if (place === undefined) return this.#called(choice, event)
    if (place === 'answer') return said(event.choice, choice, event.json ?? '')
    return place === 'ignored' ? [] : [{ ...event, call: place }]
  }

  /** A call's beginning. Of several answers the first counts, and none that does not wait for what other tools say. */
  #called(choice: Choice, event: ToolEvent): readonly AnswerEvent[] {
    if (event.name === undefined || event.name !== this.#answer.tool) {
      const words = begun(event.choice, choice, this.#worded)
      const place = choice.own++
      choice.calls.set(event.call, place)
      return [...words, { ...event, call: place }]
    }
    if (choice.state !== 'open' || choice.own > 0) {
      choice.calls.set(event.call, 'ignored')
      return []
    }
    choice.calls.set(event.call, 'answer')
    choice.state = 'answered'
    return [...thought(event.choice, released(choice)), ...said(event.choice, choice, event.json ?? '')]
  }

  /** What waits, as the text that it is in the end. */
  #settled(index: number): readonly AnswerEvent[] {
    const choice = this.#choices.get(index)
    if (!choice) return []
    return [...begun(index, choice, this.#worded), ...text(index, choice, choice.unwrapper?.end() ?? '')]
  }

  /**
   * An answer whose only call was its answer ended as any other does. A call without arguments is an object without
   * members, unless it was cut off.
   */
  #finished(event: Extract<AnswerEvent, { type: 'finish' }>): readonly AnswerEvent[] {
    const choice = this.#choice(event.choice)
    const settled = this.#settled(event.choice)
    const isEmpty = choice.state === 'answered' && !choice.hasSaid && event.reason !== 'length'
    const isOver = event.reason === 'tool-calls' && choice.own === 0
    const finish: AnswerEvent = isOver ? { ...event, reason: 'stop' } : event
    return [...settled, ...(isEmpty ? text(event.choice, choice, '{}') : []), finish]
  }
}

const BEGINS_AS_OBJECT = /^\s*(?=\{)/
/** JSON by itself, or within a fence that models like to put around it, after words or none. */
const OBJECT_WORDED = /^\s*(?=\{)|```(?:json)?[^\S\n]*\n\s*(?=[{[])/
const WORDED = /^\s*(?=[{[])|```(?:json)?[^\S\n]*\n\s*(?=[{[])/
/** In characters. */
const MAX_HELD = 4096

function released(choice: Choice): string {
  const held = choice.held
  choice.held = ''
  return held
}

/** Text that waited and is no preface to an answer. Where there is JSON in it, the words before it are thoughts. */
function begun(index: number, choice: Choice, begins: RegExp): readonly AnswerEvent[] {
  if (choice.held === '') return []
  choice.state = 'text'
  const held = released(choice)
  const found = begins.exec(held)
  if (!found) return said(index, choice, held)
  choice.end = createBracketEnd()
  const start = found.index + found[0].length
  return [...thought(index, held.slice(0, found.index)), ...inText(index, choice, held.slice(start))]
}

/** A piece of text; what comes after JSON in it is a thought. */
function inText(index: number, choice: Choice, piece: string): readonly AnswerEvent[] {
  if (choice.state === 'answered') return thought(index, piece)
  const at = choice.end?.(piece)
  if (at === undefined) return said(index, choice, piece)
  choice.state = 'answered'
  return [...said(index, choice, piece.slice(0, at)), ...thought(index, piece.slice(at))]
}

/** A piece of the answer's JSON. */
const said = (index: number, choice: Choice, json: string): readonly AnswerEvent[] =>
  text(index, choice, choice.unwrapper && json !== '' ? choice.unwrapper.feed(json) : json)

function text(index: number, choice: Choice, piece: string): readonly AnswerEvent[] {
  if (piece === '') return []
  choice.hasSaid = true
  return [{ type: 'text', choice: index, text: piece }]
}

/** Words around the answer would break its JSON: they are told as thoughts. What is left of a fence says nothing. */
function thought(choice: number, words: string): readonly AnswerEvent[] {
  return /[^\s`]/.test(words) ? [{ type: 'reasoning', choice, text: words.replace(/^\s*```/, '') }] : []
}
