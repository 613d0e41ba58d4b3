import { isObject, type JsonObject, objectIn, objectsIn, parsed, textIn } from '../../../base/json/json.ts'
import { tokenCount } from '../../../billing/usage.ts'
import type { Json, StreamDecoder } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { DONE, END_MARK, unreadableEvent } from '../payload.ts'
import { SameShape } from '../same-shape.ts'
import { asides } from './block-events.ts'
import { type BlockReader, blockDelta, blockStart, blockStop, createBlockReader, lastBlocks } from './block-reader.ts'
import { reasonIn } from './stop-reasons.ts'
import { joinedUsage, usageIn } from './usage.ts'

export function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  if (!isObject(wire)) return []
  const [failed] = errorsIn(wire)
  if (failed) return [failed]
  const reader = createBlockReader()
  const blocks = objectsIn(wire.content).flatMap((block, index) => [
    ...blockStart(reader, index, block),
    ...blockStop(reader, index),
  ])
  return [startOf(wire), ...blocks, ...lastBlocks(reader), ...usageOf(wire.usage), ...asideOf(wire), ...finishOf(wire)]
}

export const decodeStream = (): StreamDecoder => new MessageReader()

/** A class: one is created for each stream. `usage` merges all usage objects, since each may be incomplete. */
class MessageReader implements StreamDecoder {
  private readonly blocks: BlockReader = createBlockReader()
  private usage: JsonObject = {}
  private isCounted = false
  private readonly texts = new SameShape('text', 'text')
  private readonly thoughts = new SameShape('thinking', 'reasoning')

  /** Accepts the vendor's events, and the `[DONE]` of some imitators. */
  payload(text: string): readonly AnswerEvent[] {
    const same = this.texts.take(text) ?? this.thoughts.take(text)
    if (same) return [same]
    if (text.startsWith(END_MARK)) return DONE
    const event = parsed(text)
    if (event === undefined) return unreadableEvent(text)
    if (!isObject(event)) return []
    switch (event.type) {
      case 'message_start':
        return this.start(objectIn(event.message))
      case 'content_block_start':
        return blockStart(this.blocks, event.index, objectIn(event.content_block))
      case 'content_block_delta':
        return this.piece(text, event)
      case 'content_block_stop':
        return blockStop(this.blocks, event.index)
      case 'message_delta':
        return this.finish(event)
      case 'message_stop':
        return [...lastBlocks(this.blocks), { type: 'done' }]
      default:
        return errorsIn(event)
    }
  }

  /** A piece of text or thinking has the same meaning at any position, so its shape can be learned. */
  private piece(text: string, event: Json): readonly AnswerEvent[] {
    const events = blockDelta(this.blocks, event.index, objectIn(event.delta))
    this.texts.learn(text, events)
    this.thoughts.learn(text, events)
    return events
  }

  /** `message_start` has the usage of the input; its output figure is only that of the first token. */
  private start(message: Json): readonly AnswerEvent[] {
    this.usage = joinedUsage(this.usage, message.usage)
    return [startOf(message), ...usageOf(this.usage, true)]
  }

  /**
   * Returns the ends of the open blocks, the usage, which is final once an event has reported the output, and the stop
   * reason.
   */
  private finish(event: Json): readonly AnswerEvent[] {
    this.usage = joinedUsage(this.usage, event.usage)
    const reported = tokenCount(objectIn(event.usage).output_tokens)
    this.isCounted ||= reported !== undefined && reported === this.usage.output_tokens
    const delta = objectIn(event.delta)
    return [...lastBlocks(this.blocks), ...usageOf(this.usage, !this.isCounted), ...asideOf(delta), ...finishOf(delta)]
  }
}

/** The error of an `error` event or response; imitators send it as text. */
function errorsIn({ error }: Json): readonly AnswerEvent[] {
  if (isObject(error)) return [{ type: 'error', error }]
  return typeof error === 'string' && error !== '' ? [{ type: 'error', error: { message: error } }] : []
}

function startOf(message: Json): AnswerEvent {
  const id = textIn(message.id)
  const model = textIn(message.model)
  return { type: 'start', ...(id === undefined ? {} : { id }), ...(model === undefined ? {} : { model }) }
}

function usageOf(wire: unknown, isBegun = false): readonly AnswerEvent[] {
  const usage = usageIn(wire)
  return usage ? [{ type: 'usage', usage, ...(isBegun ? { isBegun } : {}) }] : []
}

function asideOf(message: Json): readonly AnswerEvent[] {
  return asides.flatMap((name): AnswerEvent[] =>
    isObject(message[name]) ? [{ type: 'extra', of: 'anthropic', choice: 0, name, value: message[name] }] : [],
  )
}

/** A `message_delta` without a stop reason does not end the response. */
function finishOf({ stop_reason: word, stop_sequence: stop }: Json): readonly AnswerEvent[] {
  if (typeof word !== 'string' || word === '') return []
  const stopSequence = typeof stop === 'string' ? { stopSequence: stop } : {}
  return [{ type: 'finish', choice: 0, reason: reasonIn(word), ...stopSequence }]
}
