import type { AnswerEvent } from './events.ts'

/** Quotes, escapes, and control characters, which JSON has only escaped. */
const NOT_PLAIN = /[^ !#-[\]-\uffff]/

/** Whether a text stands in JSON as it is, and nothing else can stand there in its place. */
export const isPlainText = (text: string): boolean => !NOT_PLAIN.test(text)

/**
 * Where the text that a member of that name holds begins in an event's JSON; -1 where that cannot be told from its letters:
 * the name, which may be written with escapes, has to stand there once, for of several others than this may be the one.
 */
export function textStart(payload: string, name: string, text: string): number {
  const member = `"${name}"`
  const at = payload.indexOf(member)
  const start = at + member.length + ':"'.length
  const isThere = at >= 0 && payload.startsWith(':"', at + member.length) && payload.startsWith(`${text}"`, start)
  return isThere && payload.lastIndexOf(member) === at && !payload.includes('\\') ? start : -1
}

/**
 * Recognises an event that differs from the last one that was read in nothing but its piece of text, which most events do:
 * around the text it is the same JSON, letter for letter or but for padding, and the text holds neither quotes nor escapes,
 * so nothing has to be parsed. Texts are compared as slices: V8 compares those by memory, and `startsWith` letter by letter.
 * A class: one is made for every stream.
 */
export class SameShape {
  private readonly name: string
  private readonly type: 'text' | 'reasoning'
  private opening = ''
  private closing = ''
  /** The closing without padding, where no text is in it; Anthropic pads its events at random. */
  private bare: string | undefined
  private choice = 0

  /** `name` is the member that holds the text, `type` what it is. */
  constructor(name: string, type: 'text' | 'reasoning') {
    this.name = name
    this.type = type
  }

  /** The event of such a payload; undefined where it has to be read. */
  take(payload: string): AnswerEvent | undefined {
    const { opening, type, choice } = this
    if (opening === '' || payload.slice(0, opening.length) !== opening) return undefined
    const end = payload.indexOf('"', opening.length)
    if (end <= opening.length || !this.closes(payload.slice(end))) return undefined
    const text = payload.slice(opening.length, end)
    return isPlainText(text) ? { type, choice, text } : undefined
  }

  /** Takes the shape of a payload that was read, where all it says is one plain text. */
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
