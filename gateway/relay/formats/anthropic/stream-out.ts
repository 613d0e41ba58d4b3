import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, Json, StreamEncoder } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { ending, headOf } from './answer-out.ts'
import { type BlockWriter, createBlockWriter } from './block-events.ts'
import { blockEvents, lastBlockEvents } from './block-writer.ts'
import { usageOut } from './usage.ts'

/**
 * Writes the events of a stream, with consecutive blocks and a proper end
 * (docs/reference/conversion.md#streams-for-anthropics-clients).
 */
export const encodeStream = (frame: AnswerFrame): StreamEncoder => new MessageWriter(frame)

class MessageWriter implements StreamEncoder {
  private readonly frame: AnswerFrame
  private readonly writer: BlockWriter
  private hasBegun = false
  /** Buffered, since content may follow. */
  private finish: AnswerEvent | undefined

  constructor(frame: AnswerFrame) {
    this.frame = frame
    this.writer = createBlockWriter(frame.id)
  }

  /** The relay writes errors; usage is written at the end. */
  add(event: AnswerEvent): string {
    if (event.type === 'error' || event.type === 'done' || event.type === 'usage') return ''
    if (event.type === 'finish' && event.choice === 0) this.finish = event
    const start = this.begin()
    const plain = event.type === 'text' && event.choice === 0 ? this.plainText(event.text) : undefined
    if (plain !== undefined) return start + plain
    let text = start
    for (const one of blockEvents(this.writer, event)) text += framed(one)
    return text
  }

  /**
   * Writes more of an open text, the most frequent event, without creating objects; undefined if that is not possible.
   */
  private plainText(text: string): string | undefined {
    const { index, open, pending } = this.writer
    if (open?.kind !== 'text' || open.cited || pending.groups.length > 0 || text === '') return undefined
    return `${TEXT_DELTA}${index},"delta":{"type":"text_delta","text":${JSON.stringify(text)}}}\n\n`
  }

  end(usage: Usage): string {
    let text = this.begin()
    for (const one of lastBlockEvents(this.writer)) text += framed(one)
    const delta = { ...ending(this.finish, this.writer.calls.size > 0), ...this.writer.asides }
    return text + framed({ type: 'message_delta', delta, usage: usageOut(usage) }) + framed({ type: 'message_stop' })
  }

  /** Starts the message, once. Its usage is an estimate: what is charged is written at the end. */
  private begin(): string {
    if (this.hasBegun) return ''
    this.hasBegun = true
    const usage = { input_tokens: this.frame.promptTokens(), output_tokens: 0 }
    const message = { ...headOf(this.frame), content: [], stop_reason: null, stop_sequence: null, usage }
    return framed({ type: 'message_start', message })
  }
}

const TEXT_DELTA = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":'

const framed = (event: Json & Readonly<{ type: string }>): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
