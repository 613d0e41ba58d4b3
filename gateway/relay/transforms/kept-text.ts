import type { AnswerEvent } from '../formats/events.ts'
import { LineTooLong } from '../formats/refusals.ts'

/** In characters. Some dialects repeat a whole answer several times at its end; models write a small part of this. */
const MAX_TEXT = 16 * 1024 * 1024

/** Counts the content of a converted stream, which is buffered to its end. A class: one is created for each stream. */
export class KeptText {
  #length = 0

  /** Throws `LineTooLong` beyond the limit. */
  take(event: AnswerEvent): void {
    this.#length += lengthOf(event)
    if (this.#length > MAX_TEXT) throw new LineTooLong('the response is too long')
  }
}

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
      return event.transcript?.length ?? 0
    default:
      return 0
  }
}
