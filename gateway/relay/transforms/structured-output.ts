import type { Wire } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { createBracketEnd, type JsonEnd } from './json-end.ts'
import { createUnwrapper, type Unwrapper } from './unwrapped-json.ts'

/**
 * How JSON output was requested from a vendor without native support (docs/reference/conversion.md#structured-output).
 */
export type StructuredAnswer = Readonly<{
  /** The tool whose arguments are the answer; absent if the model was instructed to write JSON. */
  tool?: string
  /** The arguments contain the answer as their only member, `WRAPPING`. */
  isWrapped?: boolean
}>

/**
 * Wraps a wire so that the arguments of the answer tool become the answer's text, in pieces if they arrive in pieces.
 * Calls of the caller's own tools stay calls, and a response in plain text is passed on.
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
 * The state of one choice. `open`: undecided; `text`: its text is the answer; `answered`: the answer tool has been
 * called, or the JSON in the text has ended, and any other text is not part of the answer.
 */
type Choice = {
  state: 'open' | 'text' | 'answered'
  /** Text that waits until its role is known. */
  pending: string
  /**
   * Maps the upstream's call indices to the index among the caller's own calls, to the answer, or to a call that is not
   * passed on.
   */
  calls: Map<number, number | 'answer' | 'ignored'>
  own: number
  unwrapper: Unwrapper | undefined
  /** Finds the end of JSON in the text; undefined if the text is not JSON. */
  end: JsonEnd | undefined
  hasContent: boolean
}

/** Reads the events of one response. A class: one is created for each. */
class AnswerReader {
  readonly #answer: StructuredAnswer
  readonly #choices = new Map<number, Choice>()
  readonly #worded: RegExp

  constructor(answer: StructuredAnswer) {
    this.#answer = answer
    this.#worded = answer.tool === undefined || answer.isWrapped ? JSON_IN_TEXT : OBJECT_IN_TEXT
  }

  read(event: AnswerEvent): readonly AnswerEvent[] {
    if (event.type === 'text') return this.#text(event.choice, event.text)
    if (event.type === 'tool') return this.#tool(event)
    if (event.type === 'finish') return this.#finished(event)
    if (event.type === 'done' || event.type === 'error') return [...this.end(), event]
    return [event]
  }

  /** Returns the waiting text of an answer that ends without a finish event. */
  end(): readonly AnswerEvent[] {
    return [...this.#choices.keys()].flatMap((choice) => this.#settled(choice))
  }

  #choice(index: number): Choice {
    const known = this.#choices.get(index)
    if (known) return known
    const unwrapper = this.#answer.isWrapped ? createUnwrapper() : undefined
    const choice: Choice = {
      state: 'open',
      pending: '',
      calls: new Map(),
      own: 0,
      unwrapper,
      end: undefined,
      hasContent: false,
    }
    this.#choices.set(index, choice)
    return choice
  }

  /**
   * Text that begins as JSON is the answer; any other waits briefly, since a call of the answer tool may follow.
   * Briefly, because waiting text is not counted.
   */
  #text(index: number, text: string): readonly AnswerEvent[] {
    const choice = this.#choice(index)
    if (choice.state === 'text') return inText(index, choice, text)
    if (choice.state === 'answered') return thought(index, text)
    choice.pending += text
    const isOver = choice.pending.length > MAX_PENDING
    const begins = this.#answer.tool === undefined ? this.#worded : BEGINS_AS_OBJECT
    return isOver || begins.test(choice.pending) ? asText(index, choice, this.#worded) : []
  }

  #tool(event: ToolEvent): readonly AnswerEvent[] {
    const choice = this.#choice(event.choice)
    const callIndex = choice.calls.get(event.call)
    if (callIndex === undefined) return this.#called(choice, event)
    if (callIndex === 'answer') return answerPiece(event.choice, choice, event.json ?? '')
    return callIndex === 'ignored' ? [] : [{ ...event, call: callIndex }]
  }

  /**
   * Reads the beginning of a call. A call of the answer tool is ignored after an earlier one, after calls of other
   * tools, and after an answer in the text.
   */
  #called(choice: Choice, event: ToolEvent): readonly AnswerEvent[] {
    if (event.name === undefined || event.name !== this.#answer.tool) {
      const texts = asText(event.choice, choice, this.#worded)
      const callIndex = choice.own++
      choice.calls.set(event.call, callIndex)
      return [...texts, { ...event, call: callIndex }]
    }
    if (choice.state !== 'open' || choice.own > 0) {
      choice.calls.set(event.call, 'ignored')
      return []
    }
    choice.calls.set(event.call, 'answer')
    choice.state = 'answered'
    return [...thought(event.choice, released(choice)), ...answerPiece(event.choice, choice, event.json ?? '')]
  }

  #settled(index: number): readonly AnswerEvent[] {
    const choice = this.#choices.get(index)
    if (!choice) return []
    return [...asText(index, choice, this.#worded), ...text(index, choice, choice.unwrapper?.end() ?? '')]
  }

  /**
   * An answer with no call other than the answer tool ends with `stop`. A call without arguments becomes an empty
   * object, unless it was truncated.
   */
  #finished(event: Extract<AnswerEvent, { type: 'finish' }>): readonly AnswerEvent[] {
    const choice = this.#choice(event.choice)
    const settled = this.#settled(event.choice)
    const isEmpty = choice.state === 'answered' && !choice.hasContent && event.reason !== 'length'
    const isOver = event.reason === 'tool-calls' && choice.own === 0
    const finish: AnswerEvent = isOver ? { ...event, reason: 'stop' } : event
    return [...settled, ...(isEmpty ? text(event.choice, choice, '{}') : []), finish]
  }
}

const BEGINS_AS_OBJECT = /^\s*(?=\{)/
/** JSON alone, or within a fence as models often write it, possibly after other text. */
const OBJECT_IN_TEXT = /^\s*(?=\{)|```(?:json)?[^\S\n]*\n\s*(?=[{[])/
const JSON_IN_TEXT = /^\s*(?=[{[])|```(?:json)?[^\S\n]*\n\s*(?=[{[])/
/** Max characters of text that waits for a call of the answer tool. */
const MAX_PENDING = 4096

function released(choice: Choice): string {
  const pending = choice.pending
  choice.pending = ''
  return pending
}

/**
 * Emits waiting text that did not precede an answer call. If it contains JSON, the text before the JSON becomes
 * reasoning.
 */
function asText(index: number, choice: Choice, begins: RegExp): readonly AnswerEvent[] {
  if (choice.pending === '') return []
  choice.state = 'text'
  const pending = released(choice)
  const found = begins.exec(pending)
  if (!found) return answerPiece(index, choice, pending)
  choice.end = createBracketEnd()
  const start = found.index + found[0].length
  return [...thought(index, pending.slice(0, found.index)), ...inText(index, choice, pending.slice(start))]
}

function inText(index: number, choice: Choice, piece: string): readonly AnswerEvent[] {
  if (choice.state === 'answered') return thought(index, piece)
  const at = choice.end?.(piece)
  if (at === undefined) return answerPiece(index, choice, piece)
  choice.state = 'answered'
  return [...answerPiece(index, choice, piece.slice(0, at)), ...thought(index, piece.slice(at))]
}

const answerPiece = (index: number, choice: Choice, json: string): readonly AnswerEvent[] =>
  text(index, choice, choice.unwrapper && json !== '' ? choice.unwrapper.feed(json) : json)

function text(index: number, choice: Choice, piece: string): readonly AnswerEvent[] {
  if (piece === '') return []
  choice.hasContent = true
  return [{ type: 'text', choice: index, text: piece }]
}

/** Text around the answer would break its JSON, so it becomes reasoning. The rest of a fence is ignored. */
function thought(choice: number, text: string): readonly AnswerEvent[] {
  return /[^\s`]/.test(text) ? [{ type: 'reasoning', choice, text: text.replace(/^\s*```/, '') }] : []
}
