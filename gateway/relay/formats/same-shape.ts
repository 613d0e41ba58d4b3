import type { AnswerEvent } from './events.ts'

/** Matches quotes, backslashes and control characters, which JSON has to escape. */
const NOT_PLAIN = /[^ !#-[\]-\uffff]/

export const isPlainText = (text: string): boolean => !NOT_PLAIN.test(text)

/**
 * Returns the offset of a member's text in an event's JSON; -1 if the text does not follow the name, if the name occurs
 * more than once, or if the JSON has escapes, which could hide another occurrence.
 */
export function textStart(payload: string, name: string, text: string): number {
  const member = `"${name}"`
  const at = payload.indexOf(member)
  const start = at + member.length + ':"'.length
  const isThere = at >= 0 && payload.startsWith(':"', at + member.length) && payload.startsWith(`${text}"`, start)
  return isThere && payload.lastIndexOf(member) === at && !payload.includes('\\') ? start : -1
}

/**
 * Recognizes an event that differs from the last parsed one only in its piece of text, as most events do. The JSON
 * around the text is identical except for padding, and the text has no quotes or escapes, so nothing has to be parsed.
 * Texts are compared as slices: V8 compares those by memory, and `startsWith` character by character. A class: one is
 * created for each stream.
 */
export class SameShape {
  private readonly name: string
  private readonly type: 'text' | 'reasoning'
  private opening = ''
  private closing = ''
  /** The closing without padding, if it contains no text; Anthropic pads its events at random. */
  private bare: string | undefined
  private choice = 0

  constructor(name: string, type: 'text' | 'reasoning') {
    this.name = name
    this.type = type
  }

  /** Returns the event of a payload with the learned shape; undefined if the payload must be parsed. */
  take(payload: string): AnswerEvent | undefined {
    const { opening, type, choice } = this
    if (opening === '' || payload.slice(0, opening.length) !== opening) return undefined
    const end = payload.indexOf('"', opening.length)
    if (end <= opening.length || !this.closes(payload.slice(end))) return undefined
    const text = payload.slice(opening.length, end)
    return isPlainText(text) ? { type, choice, text } : undefined
  }

  /** Learns the shape of a parsed payload if it consists of one plain text. */
  learn(payload: string, events: readonly AnswerEvent[]): void {
    const [event] = events
    if (events.length !== 1 || event?.type !== this.type || !isPlainText(event.text)) return
    if ('signature' in event || 'redacted' in event) return
    const start = textStart(payload, this.name, event.text)
    if (start < 0) return
    this.opening = payload.slice(0, start)
    this.closing = payload.slice(start + event.text.length)
    this.bare = this.closing.indexOf('"', 1) < 0 ? this.closing.replaceAll(' ', '') : undefined
    this.choice = event.choice
  }

  private closes(rest: string): boolean {
    return rest === this.closing || (this.bare !== undefined && rest.replaceAll(' ', '') === this.bare)
  }
}
