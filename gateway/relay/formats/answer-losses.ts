import type { AnswerEvent } from './events.ts'
import type { Format } from './format.ts'

/** Dialects whose answers have one choice. */
const ofOneChoice: ReadonlySet<Format> = new Set(['responses', 'anthropic'])
/** Dialects whose answers have no place for log probabilities: none, or none for those of a refusal. */
const withoutLogProbabilities: ReadonlySet<Format> = new Set(['anthropic'])
const withoutThoseOfRefusals: ReadonlySet<Format> = new Set(['responses', 'anthropic'])
/** Dialects whose answers have no place for sound; what it says is told as text. */
const withoutSound: ReadonlySet<Format> = new Set(['responses', 'anthropic'])

/**
 * The name of what an event says and a dialect's answers have no place for (docs/reference/conversion.md#losses-in-answers);
 * undefined where it is told, if only in the nearest form.
 */
export function lossIn(event: AnswerEvent, to: Format): string | undefined {
  if (!('choice' in event)) return undefined
  if (event.choice > 0 && ofOneChoice.has(to)) return 'choices'
  if (event.type === 'extra') return event.of === to || event.isCovered ? undefined : event.name
  if (event.type === 'search') return isSearchLost(event, to) ? event.name : undefined
  if (event.type === 'logprobs')
    return (event.isRefusal ? withoutThoseOfRefusals : withoutLogProbabilities).has(to) ? 'logprobs' : undefined
  if (event.type !== 'media' || event.mime.startsWith('image/')) return undefined
  return withoutSound.has(to) ? (event.mime.split('/')[0] ?? 'media') : undefined
}

/** Names are the vendor's own, and stand in a header and in the log. */
export const MAX_NAMES = 50
const MAX_NAME_LENGTH = 64

/**
 * What of an answer a dialect has no place for, over all of its events. Log probabilities go into Responses with the text
 * they are of; where none follows or stands before them they have no place. A class: one is made for every translated
 * answer.
 */
export class AnswerLosses {
  readonly #to: Format
  readonly #names = new Set<string>()
  /** Log probabilities wait for the text that they are of. */
  #isWaiting = false
  /** Text is open, which they go with where none follows. */
  #isText = false

  constructor(to: Format) {
    this.#to = to
  }

  take(event: AnswerEvent): void {
    const loss = lossIn(event, this.#to)
    if (loss !== undefined && this.#names.size < MAX_NAMES) this.#names.add(loss.slice(0, MAX_NAME_LENGTH))
    if (this.#to === 'responses' && 'choice' in event && event.choice === 0) this.#follow(event)
  }

  /** The names of all that was lost so far. */
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

/** Chat has no place for searches; Gemini has one for what was searched for, and none for single pages. */
const isSearchLost = ({ by, search, isCovered }: Extract<AnswerEvent, { type: 'search' }>, to: Format): boolean =>
  by !== to && !isCovered && (to === 'openai' || (to === 'gemini' && search.action !== 'search'))
