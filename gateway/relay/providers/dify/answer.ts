import { isObject, numberIn, objectIn, textIn } from '../../../base/json/json.ts'
import type { Json, StreamDecoder } from '../../formats/codec.ts'
import type { AnswerEvent, FinishReason } from '../../formats/events.ts'
import { usageIn } from '../../formats/openai/usage.ts'
import { DONE, eventsOf } from '../../formats/payload.ts'
import type { AnswerError } from '../provider.ts'

/** Returns the events of a whole response (Dify API reference, "ChatCompletionResponse"). */
export function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  const json = objectIn(wire)
  return [startOf(json), ...textOf(new Thoughts().unwrapped(textIn(json.answer) ?? '')), ...endOf(json, 'stop')]
}

/** Reads a stream; ignores events about the steps of a workflow. */
export const decodeStream = (): StreamDecoder => new ChunkReader()

class ChunkReader implements StreamDecoder {
  private readonly thoughts = new Thoughts()
  private hasStarted = false
  private isReplaced = false

  payload(text: string): readonly AnswerEvent[] {
    return eventsOf(text, (json) => this.read(objectIn(json)))
  }

  private read(json: Json): readonly AnswerEvent[] {
    const error = errorIn(json)
    if (error) return [{ type: 'error', error }]
    switch (json.event) {
      case 'message':
      case 'agent_message':
        return this.begun(json, textOf(this.thoughts.unwrapped(textIn(json.answer) ?? '')))
      case 'message_file':
        return this.begun(json, fileOf(json))
      case 'message_replace':
        this.isReplaced = true
        return []
      case 'message_end':
        return this.begun(json, [...endOf(json, this.isReplaced ? 'filter' : 'stop'), ...DONE])
      default:
        return []
    }
  }

  private begun(json: Json, events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    if (this.hasStarted) return events
    this.hasStarted = true
    return [startOf(json), ...events]
  }
}

const startOf = ({ message_id, id }: Json): AnswerEvent => ({ type: 'start', id: textIn(message_id) ?? textIn(id) })

const textOf = (text: string): readonly AnswerEvent[] => (text === '' ? [] : [{ type: 'text', choice: 0, text }])

const fileOf = ({ type, url, belongs_to }: Json): readonly AnswerEvent[] =>
  type === 'image' && belongs_to !== 'user' && typeof url === 'string' ? textOf(`![image](${url})`) : []

function endOf({ metadata }: Json, reason: FinishReason): readonly AnswerEvent[] {
  const usage = usageIn(objectIn(metadata).usage)
  return [...(usage ? [{ type: 'usage', usage } as const] : []), { type: 'finish', choice: 0, reason }]
}

const OPENED = /<details[^<>]*>\s*<summary>\s*Thinking\.\.\.\s*<\/summary>\n?/
const CLOSED = '</details>'

/**
 * Converts what an app marks as the model's thinking to the tags that clients know
 * (docs/reference/channel-types.md#dify).
 */
class Thoughts {
  private isOpen = false

  unwrapped(text: string): string {
    const opened = text.replace(OPENED, '<think>\n')
    this.isOpen ||= opened !== text
    if (!this.isOpen || !opened.includes(CLOSED)) return opened
    this.isOpen = false
    return opened.replace(CLOSED, '</think>')
  }
}

const OTHERS = 502

/** Reads the error event of a stream (Dify API reference, "ChunkChatCompletionResponse"), which contains its status. */
export function errorIn(json: unknown): AnswerError | undefined {
  if (!isObject(json) || json.event !== 'error') return undefined
  const { status, code, message } = json
  const name = textIn(code) ?? ''
  return { status: numberIn(status) || OTHERS, message: textIn(message) || name, type: 'dify_error', code: name }
}
