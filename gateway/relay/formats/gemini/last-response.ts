import type { AnswerEvent } from '../events.ts'

/**
 * Knows the last response of a stream, which has no end mark: every candidate that has said something has a
 * `finishReason`, and the figures came with the last of these or in a response after it. Both are needed. Google tells the
 * figures with the reason, or alone after it; Vertex has put `STOP` on every response and the figures on the last, and
 * gateways that imitate it put `STOP` on empty ones in front. A class: one is made for every stream.
 */
export class LastResponse {
  private readonly open = new Set<number>()
  private hasFinished = false

  /** Whether a response that says this is the last one. */
  is(events: readonly AnswerEvent[]): boolean {
    let hasFigures = false
    for (const event of events) {
      if (event.type === 'finish') {
        this.open.delete(event.choice)
        this.hasFinished = true
      } else if (event.type === 'usage') hasFigures = true
      else if ('choice' in event) this.open.add(event.choice)
    }
    return hasFigures && this.hasFinished && this.open.size === 0
  }
}
