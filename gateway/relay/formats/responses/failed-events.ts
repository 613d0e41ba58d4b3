import type { JsonObject } from '../../../base/json/json.ts'
import type { ErrorPosition } from '../codec.ts'
import { EventLog } from './output-item.ts'
import { responseObject } from './response-object.ts'
import { written } from './stream-out.ts'

type ResponseError = Readonly<{ message: string; type: string; param: unknown; code: string | null }>

/**
 * Returns the events that end a failed response (OpenAI's API reference, "Streaming events"): `error`, with its members
 * both next to its type and, as OpenAI sends them, in an object; and `response.failed`, which Codex and similar clients
 * act on. Omits the events that have been sent; starts a response that has not begun.
 */
export function failedEvents(error: ResponseError, { frame, next, id, output = [], sentError }: ErrorPosition): string {
  if (sentError === 'failed') return ''
  const { message, code, param } = error
  const unstored = { ...frame, isStored: false }
  const responseId = id === undefined ? {} : { id }
  const log = new EventLog(next)
  if (next === 0)
    log.add('response.created', { response: responseObject(unstored, { status: 'in_progress', output: [] }) })
  if (sentError === undefined) log.add('error', { code, message, param, error })
  const response: JsonObject = responseObject(unstored, { status: 'failed', output, error: { code, message } })
  log.add('response.failed', { response: { ...response, ...responseId } })
  return log.take().map(written).join('')
}
