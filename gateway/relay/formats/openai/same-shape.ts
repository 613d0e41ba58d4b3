import type { AnswerEvent } from '../events.ts'

const CONTENT = '"content":"'
/** Quotes, escapes, and control characters, which JSON has only escaped. */
const NOT_PLAIN = /[^ !#-[\]-\uffff]/

/**
 * Recognises a chunk that differs from the last one that was read in nothing but its piece of text, which most chunks do:
 * around the text it is the same JSON, letter for letter, and the text holds neither quotes nor escapes, so nothing has to
 * be parsed. A class: one is made for every stream.
 */
export class SameShape {
  private opening = ''
  private closing = ''
  private choice = 0

  /** The event of such a chunk; undefined where it has to be read. */
  take(payload: string): AnswerEvent | undefined {
    const { opening, closing } = this
    if (opening === '' || payload.length <= opening.length + closing.length) return undefined
    if (!payload.startsWith(opening) || !payload.endsWith(closing)) return undefined
    const text = payload.slice(opening.length, payload.length - closing.length)
    return NOT_PLAIN.test(text) ? undefined : { type: 'text', choice: this.choice, text }
  }

  /** Takes the shape of a chunk that was read, where all it says is one plain text. */
  learn(payload: string, events: readonly AnswerEvent[]): void {
    const [event] = events
    if (events.length !== 1 || event?.type !== 'text' || NOT_PLAIN.test(event.text)) return
    const start = payload.indexOf(CONTENT) + CONTENT.length
    if (start < CONTENT.length || !payload.startsWith(`${event.text}"`, start)) return
    this.opening = payload.slice(0, start)
    this.closing = payload.slice(start + event.text.length)
    this.choice = event.choice
  }
}
