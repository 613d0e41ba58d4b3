import type { Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'

/**
 * Where the citations of a choice stand in its text: each belongs to the piece of text before it, which begins where
 * the piece with the citations before ended.
 */
export class Citations {
  private length = 0
  private begin = 0
  private hasCited = false

  /** Counts text that the client was given. */
  pass(text: string): void {
    if (this.hasCited) this.begin = this.length
    this.hasCited = false
    this.length += text.length
  }

  /** A citation as an item of `annotations`. */
  annotation({ url, title }: Extract<AnswerEvent, { type: 'citation' }>): Json {
    this.hasCited = true
    return { type: 'url_citation', url_citation: { start_index: this.begin, end_index: this.length, url, title } }
  }
}
