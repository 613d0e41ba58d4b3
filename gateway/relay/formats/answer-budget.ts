import type { AnswerEvent } from './events.ts'
import { LineTooLong } from './refusals.ts'

/**
 * Max characters of a response. Some dialects repeat a whole response several times at its end; responses of models are
 * far shorter than this.
 */
const MAX_TEXT = 16 * 1024 * 1024
/** Max work, in pieces of text: about as many as the longest responses have tokens. */
const MAX_WORK = 200_000
/** Bytes reserved in advance, so that few events have to reserve more memory. */
const STEP = 256 * 1024
const BYTES_PER_CHARACTER = 2
/** Converting a tool call, a citation and the like takes as long as converting this many pieces of text. */
const WORK_OF_A_BLOCK = 20

/**
 * Counts the content of a response that is converted, gathered or checked for blocked words. A class: one is created
 * for each response.
 */
export class AnswerBudget {
  readonly #maxText: number
  readonly #memory: Memory | undefined
  #length = 0
  #work = 0
  #reserved = STEP

  /** `memory` is the response's share of the memory; without it, nothing is reserved. */
  constructor(memory?: Memory, maxText = MAX_TEXT) {
    this.#memory = memory
    this.#maxText = maxText
  }

  /** Throws `LineTooLong` beyond the limits, or if no memory is left. */
  take(event: AnswerEvent): void {
    if (!this.fits(event)) throw new LineTooLong('the response is too long')
    const bytes = this.#length * BYTES_PER_CHARACTER
    if (bytes <= this.#reserved) return
    this.#reserved = bytes + STEP
    try {
      this.#memory?.grow(this.#reserved)
    } catch (cause) {
      throw new LineTooLong('no memory is left for the response', { cause })
    }
  }

  /** Counts an event, and returns whether the response is still within the limits. */
  fits(event: AnswerEvent): boolean {
    this.#length += lengthOf(event)
    this.#work += workOf(event)
    return this.#length <= this.#maxText && this.#work <= MAX_WORK
  }
}

const MEDIA_SHARE = 4

type Memory = Readonly<{ grow(bytes: number): void }>

function lengthOf(event: AnswerEvent): number {
  switch (event.type) {
    case 'text':
    case 'refusal':
      return event.text.length
    case 'reasoning':
      return event.text.length + (event.signature?.value.length ?? 0)
    case 'tool':
      return (event.json?.length ?? 0) + (event.signature?.value.length ?? 0)
    case 'media':
      // Files are far longer than texts: only a share of their length counts, so a stream of images stays possible.
      return (event.transcript?.length ?? 0) + event.data.length / MEDIA_SHARE
    case 'citation':
      return event.url.length + event.title.length + (event.quote?.length ?? 0)
    default:
      return 0
  }
}

function workOf(event: AnswerEvent): number {
  switch (event.type) {
    case 'tool':
      return event.name === undefined ? 1 : WORK_OF_A_BLOCK
    case 'reasoning':
      return event.signature ? WORK_OF_A_BLOCK : 1
    case 'logprobs':
      return event.tokens.reduce((sum, { top }) => sum + 1 + top.length / WORK_OF_A_BLOCK, 0)
    case 'citation':
    case 'media':
    case 'search':
      return WORK_OF_A_BLOCK
    default:
      return 1
  }
}
