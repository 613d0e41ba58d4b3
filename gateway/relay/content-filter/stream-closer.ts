import type { Usage } from '../../billing/usage.ts'
import type { StreamEncoder } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'

/** The writer of a stream's ending, which knows what is open since it was told all that went before. */
export class StreamCloser {
  readonly #encoder: StreamEncoder
  readonly #open = new Set<number>()

  constructor(encoder: StreamEncoder) {
    this.#encoder = encoder
  }

  add(event: AnswerEvent): string {
    if ('choice' in event && event.type !== 'finish') this.#open.add(event.choice)
    else if (event.type === 'finish') this.#open.delete(event.choice)
    return this.#encoder.add(event)
  }

  /** `isFiltered`: every choice that has not ended was cut off. */
  end(usage: Usage, isFiltered: boolean): string {
    let text = ''
    const cut = this.#open.size > 0 ? this.#open : [0]
    if (isFiltered) for (const choice of cut) text += this.#encoder.add({ type: 'finish', choice, reason: 'filter' })
    return text + this.#encoder.end(usage)
  }
}
