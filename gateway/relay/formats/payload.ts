import { isBeyondBounds, parsed } from '../../base/json/json.ts'
import type { AnswerEvent } from './events.ts'

/** The end mark of OpenAI's streams, which many vendors send in any dialect. */
export const END_MARK = '[DONE]'

export const DONE: readonly AnswerEvent[] = [{ type: 'done' }]

const unreadable = {
  type: 'error',
  error: { message: 'the upstream sent an event that could not be read', code: 'stream_response_error' },
  isUnreadable: true,
} as const

/** For an event whose data is not JSON: the rest of the stream cannot be trusted. */
const NOT_JSON: readonly AnswerEvent[] = [unreadable]
/** For an event with more values or names than are read, which may have had the usage. */
const TOO_LARGE: readonly AnswerEvent[] = [{ ...unreadable, isTooLarge: true }]

export const unreadableEvent = (text: string): readonly AnswerEvent[] => (isUnread(text) ? TOO_LARGE : NOT_JSON)

/** Whether an event is left unread because it exceeds the bounds of a response; false for an error event. */
export const isUnread = (text: string): boolean => !ERROR.test(text) && isBeyondBounds(text)

const ERROR = /^\s*\{\s*(?:"error"\s*:|"type"\s*:\s*"error")/

/**
 * Returns the events of one payload, calling `read` with its JSON; the end mark and invalid JSON are handled the same
 * in every dialect.
 */
export function eventsOf(text: string, read: (json: unknown) => readonly AnswerEvent[]): readonly AnswerEvent[] {
  if (text.startsWith(END_MARK)) return DONE
  const json = parsed(text)
  return json === undefined ? unreadableEvent(text) : read(json)
}
