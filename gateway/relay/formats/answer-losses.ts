import type { AnswerEvent } from './events.ts'
import type { Format } from './format.ts'

const withOneChoice: ReadonlySet<Format> = new Set(['responses', 'anthropic'])
const withoutLogProbabilities: ReadonlySet<Format> = new Set(['anthropic'])
const withoutRefusalLogProbabilities: ReadonlySet<Format> = new Set(['responses', 'anthropic'])
/** Dialects whose responses cannot carry audio; its transcript is written as text. */
const withoutAudio: ReadonlySet<Format> = new Set(['responses', 'anthropic'])

/**
 * Returns the name of the part of an event that a dialect's responses cannot express
 * (docs/reference/conversion.md#losses-in-responses); undefined if it is expressed, at least approximately.
 */
export function lossIn(event: AnswerEvent, to: Format): string | undefined {
  if (!('choice' in event)) return undefined
  if (event.choice > 0 && withOneChoice.has(to)) return 'choices'
  if (event.type === 'extra') return event.of === to || event.isCovered ? undefined : event.name
  if (event.type === 'search') return isSearchLost(event, to) ? event.name : undefined
  if (event.type === 'logprobs')
    return (event.isRefusal ? withoutRefusalLogProbabilities : withoutLogProbabilities).has(to) ? 'logprobs' : undefined
  if (event.type !== 'media' || event.mime.startsWith('image/')) return undefined
  return withoutAudio.has(to) ? (event.mime.split('/', 1)[0] ?? 'media') : undefined
}

/**
 * Max names that are collected, and max characters of each: they come from the vendor, and appear in a header and the
 * log.
 */
export const MAX_NAMES = 50
const MAX_NAME_LENGTH = 64

/**
 * Collects the names of the parts of a response that a dialect cannot express, over all events. Responses carries log
 * probabilities with their text; those without a following or preceding text are lost. A class: one is created for each
 * converted response.
 */
export class AnswerLosses {
  readonly #to: Format
  readonly #names = new Set<string>()
  #isWaiting = false
  /** Whether a text is open to which log probabilities can be attached if no text follows. */
  #isText = false

  constructor(to: Format) {
    this.#to = to
  }

  take(event: AnswerEvent): void {
    const loss = lossIn(event, this.#to)
    if (loss !== undefined && this.#names.size < MAX_NAMES) this.#names.add(loss.slice(0, MAX_NAME_LENGTH))
    if (this.#to === 'responses' && 'choice' in event && event.choice === 0) this.#follow(event)
  }

  names(): readonly string[] {
    const isLost = this.#isWaiting && !this.#isText
    return [...(isLost ? new Set([...this.#names, 'logprobs']) : this.#names)]
  }

  #follow(event: Extract<AnswerEvent, { choice: number }>): void {
    if (event.type === 'logprobs') this.#isWaiting ||= event.isRefusal !== true
    else if (event.type === 'text') {
      this.#isWaiting = false
      this.#isText = true
    } else if (event.type !== 'citation' && event.type !== 'finish') {
      if (event.type !== 'refusal') this.#isWaiting &&= !this.#isText
      this.#isText = false
    }
  }
}

/**
 * Chat cannot express searches; Gemini can express search queries, but neither opening a page nor finding a text on
 * one.
 */
const isSearchLost = ({ by, search, isCovered }: Extract<AnswerEvent, { type: 'search' }>, to: Format): boolean =>
  by !== to && !isCovered && (to === 'openai' || (to === 'gemini' && search.action !== 'search'))
