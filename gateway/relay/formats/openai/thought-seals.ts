import type { Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { detailOut } from './thoughts.ts'

/**
 * Buffers the reasoning of a choice until its seal is known, since an item of `reasoning_details` has the text and the
 * seal: a client that returns the items loses nothing. A response without seals has no items.
 */
export class ThoughtSeals {
  private open = ''
  private count = 0

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

  /** Returns an item for reasoning after the last seal, if there was a seal. */
  end(): readonly Json[] {
    return this.count > 0 ? this.close() : []
  }

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
