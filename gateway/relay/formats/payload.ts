import { parsed } from '../../base/json/json.ts'
import type { AnswerEvent } from './events.ts'

/** The end mark of OpenAI's streams, which many vendors send in any dialect. */
export const END_MARK = '[DONE]'

export const DONE: readonly AnswerEvent[] = [{ type: 'done' }]

/** For an event whose data is not JSON: the rest of the stream cannot be trusted. */
export const UNREADABLE: readonly AnswerEvent[] = [
  {
    type: 'error',
    error: { message: 'the upstream sent an event that could not be read', code: 'stream_response_error' },
    isUnreadable: true,
  },
]

/**
 * Returns the events of one payload, calling `read` with its JSON; the end mark and invalid JSON are handled the same
 * in every dialect.
 */
export function eventsOf(text: string, read: (json: unknown) => readonly AnswerEvent[]): readonly AnswerEvent[] {
  if (text.startsWith(END_MARK)) return DONE
  const json = parsed(text)
  return json === undefined ? UNREADABLE : read(json)
}
