import { parsed } from '../../base/json/json.ts'
import type { AnswerEvent } from './events.ts'

/** The end mark of OpenAI's streams, which many vendors send whatever dialect they speak. */
export const END_MARK = '[DONE]'

/** What a stream says with its end mark. */
export const DONE: readonly AnswerEvent[] = [{ type: 'done' }]

/** What an event says whose data is no JSON: the stream cannot be trusted any further. */
export const UNREADABLE: readonly AnswerEvent[] = [
  {
    type: 'error',
    error: { message: 'the upstream sent an event that could not be read', code: 'stream_response_error' },
    isUnreadable: true,
  },
]

/** The events of one payload: `read` is given its JSON; the end mark, and what is no JSON, are the same in every dialect. */
export function eventsOf(text: string, read: (json: unknown) => readonly AnswerEvent[]): readonly AnswerEvent[] {
  if (text.startsWith(END_MARK)) return DONE
  const json = parsed(text)
  return json === undefined ? UNREADABLE : read(json)
}
