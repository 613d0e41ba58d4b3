import { isObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import { tokenCount, type Usage, usageOf } from '../../../billing/usage.ts'
import type { Json, StreamDecoder } from '../../formats/codec.ts'
import type { AnswerEvent } from '../../formats/events.ts'
import { DONE, eventsOf } from '../../formats/payload.ts'
import { errorIn } from './errors.ts'

export function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  const { chat, messages } = objectIn(wire)
  const answers = objectsIn(messages).filter(isAnswer)
  return [
    { type: 'start', id: textIn(objectIn(chat).id) },
    ...answers.flatMap(pieces),
    ...usageEvents(chat),
    { type: 'finish', choice: 0, reason: 'stop' },
  ]
}

/** Reads the named events of a stream (Coze API reference, "Streaming response"). */
export function decodeStream(): StreamDecoder {
  let hasStarted = false
  const read = (payload: unknown): readonly AnswerEvent[] => {
    const json = objectIn(payload)
    const { event, data } = json
    const error = errorIn(json)
    if (error) return [{ type: 'error', error }]
    if (event === 'done') return DONE
    if (event === 'conversation.chat.completed')
      return [...usageEvents(data), { type: 'finish', choice: 0, reason: 'stop' }, ...DONE]
    if (event === 'conversation.chat.requires_action') return [{ type: 'error', error: UNFINISHED }]
    if (event !== 'conversation.message.delta' || !isObject(data) || !isAnswer(data)) return []
    const start: AnswerEvent = { type: 'start', id: textIn(data.chat_id) }
    const events = hasStarted ? pieces(data) : [start, ...pieces(data)]
    hasStarted = true
    return events
  }
  return { payload: (text) => eventsOf(text, read) }
}

/** The error of a chat whose bot requires the result of a tool: the bot then sends nothing more. */
export const UNFINISHED = {
  message: 'the bot requires an action',
  type: 'coze_error',
  code: 'requires_action',
} as const

/** Only a bot's answer is for the caller: the other messages are its work and suggested questions. */
const isAnswer = ({ type, role }: Json): boolean => type === 'answer' && role !== 'user'

function pieces({ reasoning_content: thought, content }: Json): readonly AnswerEvent[] {
  return [
    ...(typeof thought === 'string' && thought !== ''
      ? [{ type: 'reasoning', choice: 0, text: thought } as const]
      : []),
    ...(typeof content === 'string' && content !== '' ? [{ type: 'text', choice: 0, text: content } as const] : []),
  ]
}

function usageEvents(chat: unknown): readonly AnswerEvent[] {
  const usage = usageIn(objectIn(chat).usage)
  return usage ? [{ type: 'usage', usage }] : []
}

function usageIn(value: unknown): Usage | undefined {
  const { input_count, output_count } = objectIn(value)
  const prompt = tokenCount(input_count)
  const completion = tokenCount(output_count)
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined
  return usageOf({ prompt, completion })
}
