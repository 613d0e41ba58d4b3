import type { Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { detailOut } from './thoughts.ts'

/**
 * Keeps the thoughts of a choice until their seal is known, since an item of `reasoning_details` says both: a client
 * that sends the items back loses nothing. An answer without seals has no items.
 */
export class ThoughtSeals {
  private open = ''
  private count = 0

  /** The items that a piece of thought completes. */
  add(event: Extract<AnswerEvent, { type: 'reasoning' }>): readonly Json[] {
    const { text, signature, redacted } = event
    if (!signature) {
      this.open += text
      return []
    }
    const before = redacted ? this.close() : []
    const thought = redacted ? { text: '', signature, redacted: true as const } : { text: this.open + text, signature }
    if (!redacted) this.open = ''
    return [...before, this.item(thought)]
  }

  /** What was thought after the last seal, where there is one. */
  end(): readonly Json[] {
    return this.count > 0 ? this.close() : []
  }

  /** An item of what was thought without a seal. */
  private close(): readonly Json[] {
    const text = this.open
    this.open = ''
    return text ? [this.item({ text })] : []
  }

  private item(thought: Parameters<typeof detailOut>[0]): Json {
    const item = detailOut(thought, this.count)
    this.count += 1
    return item
  }
}
