import type { JsonObject } from '../../../base/json/json.ts'
import type { AnswerPlace } from '../codec.ts'
import { EventLog } from './output-item.ts'
import { responseObject } from './response-object.ts'
import { written } from './stream-out.ts'

/** An error as the events of Responses tell it. */
type ResponseError = Readonly<{ message: string; type: string; param: unknown; code: string | null }>

/**
 * The events that end an answer which failed (OpenAI's API reference, "Streaming events"): `error`, with its members
 * beside its type and, as its vendor sends them, in an object, and `response.failed`, by which Codex and its like act.
 * What has been told already is not told again; an answer that has not begun begins first.
 */
export function failedEvents(error: ResponseError, { frame, next, id, output = [], told }: AnswerPlace): string {
  if (told === 'failed') return ''
  const { message, code, param } = error
  const unkept = { ...frame, isStored: false }
  const responseId = id === undefined ? {} : { id }
  const log = new EventLog(next)
  if (next === 0)
    log.add('response.created', { response: responseObject(unkept, { status: 'in_progress', output: [] }) })
  if (told === undefined) log.add('error', { code, message, param, error })
  const response: JsonObject = responseObject(unkept, { status: 'failed', output, error: { code, message } })
  log.add('response.failed', { response: { ...response, ...responseId } })
  return log.take().map(written).join('')
}
