import { isObject, type JsonObject, objectIn, objectsIn, parsed, textIn } from '../../../base/json/json.ts'
import type { ErrorFacts } from '../../delivery/error-shapes.ts'
import type { TurnOutput } from './memory.ts'

/** An error as a frame of the Responses API's WebSocket mode: the status, and the error of an HTTP response. */
export const errorFrame = (status: number, error: ErrorFacts | JsonObject): string =>
  JSON.stringify({ type: 'error', status, error })

/** The outcome of a turn, and what the next one may continue. */
export type TurnProgress = Readonly<{
  /** `completed`, `incomplete`, `failed` or `error` once the turn has ended. */
  ended: string | undefined
  id: string
  /** The response is stored by the vendor or the gateway. */
  isStored: boolean
}>

interface TurnReader {
  /** The frame for an event's payload; undefined for an invalid one, and for everything after the end. */
  frame(payload: string): string | undefined
  hasEnded(): boolean
  progress(): TurnProgress
}

const ENDS = /^response\.(completed|incomplete|failed)$/

/** A lane that the caller named (`stream_id`) is repeated in every frame. Adds the items of the response to `output`. */
export function createTurnReader(lane: string | undefined, output: TurnOutput): TurnReader {
  const mark = lane === undefined ? '' : `,"stream_id":${JSON.stringify(lane)}}`
  let ended: string | undefined
  let id = ''
  let isStored = false
  const marked = (text: string) => (mark === '' ? text : text.slice(0, text.lastIndexOf('}')) + mark)
  return {
    frame(payload) {
      const event = parsed(payload)
      if (ended !== undefined || !isObject(event)) return undefined
      const type = textIn(event.type) ?? ''
      if (type === 'error') {
        ended = type
        return marked(nested(event, payload))
      }
      const response = objectIn(event.response)
      id = textIn(response.id) ?? id
      if (typeof response.store === 'boolean') isStored = response.store
      if (type === 'response.output_item.done' && isObject(event.item)) output.add(event.item)
      ended = ENDS.exec(type)?.[1]
      if (ended && output.isEmpty) for (const item of objectsIn(response.output)) output.add(item)
      return marked(payload)
    },
    hasEnded: () => ended !== undefined,
    progress: () => ({ ended, id, isStored }),
  }
}

/** A stream's error event, which is flat, in the shape of a socket's. */
function nested(event: JsonObject, payload: string): string {
  if (isObject(event.error))
    return typeof event.status === 'number' ? payload : errorFrame(statusOf(event.error), event.error)
  const { message, code, param } = event
  return errorFrame(statusOf(event), {
    message: textIn(message) ?? '',
    type: 'server_error',
    param: param ?? null,
    code: code ?? null,
  })
}

/** The HTTP status of an error, which clients of sockets act on. */
const statusOf = ({ code }: JsonObject): number => statuses[textIn(code) ?? ''] ?? 500

const statuses: Readonly<Record<string, number>> = {
  context_length_exceeded: 400,
  insufficient_quota: 429,
  rate_limit_exceeded: 429,
  stream_response_error: 502,
  server_is_overloaded: 503,
}

/** The events of a non-streaming response: its beginning and its end. */
export function wholeEvents(response: JsonObject): JsonObject[] {
  const reported = textIn(response.status) ?? ''
  const status = ENDS.test(`response.${reported}`) ? reported : 'completed'
  const started = { ...response, status: 'in_progress', output: [], usage: null }
  return [
    { type: 'response.created', sequence_number: 0, response: started },
    { type: `response.${status}`, sequence_number: 1, response },
  ]
}

export function refusalFrame(status: number, text: string): string {
  const { error } = objectIn(parsed(text))
  const plain = { message: `status ${status}`, type: 'upstream_error', param: null, code: 'bad_response_status_code' }
  return errorFrame(status, isObject(error) ? error : plain)
}
