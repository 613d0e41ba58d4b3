import type { JsonObject } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, StreamEncoder } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { ChoiceEnd, choiceOf, partOf } from './answer-parts.ts'
import { usageOut } from './usage.ts'

/**
 * Writes a stream of GenerateContentResponses: one for each piece of content, and a last one with the whole calls, the
 * finish reasons and the usage. The dialect has no end mark.
 */
export class AnswerStream implements StreamEncoder {
  private readonly ends = new Map<number, ChoiceEnd>()
  /** The end of every chunk, after its candidates. */
  private readonly tail: string

  constructor(frame: AnswerFrame) {
    this.tail = `,${JSON.stringify({ modelVersion: frame.model, responseId: frame.id }).slice(1)}\n\n`
  }

  add(event: AnswerEvent): string {
    const index = choiceOf(event)
    if (index === undefined) return ''
    let end = this.ends.get(index)
    if (!end) {
      end = new ChoiceEnd()
      this.ends.set(index, end)
    }
    if (event.type === 'text' && !end.isScored()) return this.text(event.text, index)
    if (end.holds(event)) return ''
    const part = partOf(event)
    const transcript = event.type === 'media' && event.transcript ? [{ text: event.transcript }] : []
    const parts = [...(part ? [part] : []), ...transcript]
    return parts.length > 0 ? this.chunk([{ content: { role: 'model', parts }, index, ...end.scored() }]) : ''
  }

  /** Plain text, the most frequent event, is written without creating objects. */
  private text(text: string, index: number): string {
    if (text === '') return ''
    const parts = `[{"text":${JSON.stringify(text)}}]`
    return `data: {"candidates":[{"content":{"role":"model","parts":${parts}},"index":${index}}]${this.tail}`
  }

  end(usage: Usage): string {
    const ends = this.ends.size > 0 ? [...this.ends] : [[0, new ChoiceEnd()] as const]
    const inOrder = ends.toSorted(([one], [other]) => one - other)
    const candidates = inOrder.map(([index, end]) => end.candidate(index, []))
    return this.chunk(candidates, { usageMetadata: usageOut(usage) })
  }

  private chunk(candidates: readonly JsonObject[], more: JsonObject = {}): string {
    return `data: ${JSON.stringify({ candidates, ...more }).slice(0, -1)}${this.tail}`
  }
}
