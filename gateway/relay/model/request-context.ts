import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Locale } from '../../../shared/messages/format.ts'
import type { Format } from '../formats/format.ts'
import type { Cancellation } from './cancellation.ts'

/** A request or a connection, whose bodies take room until it closes. */
export type Owner = Readonly<{ closed: boolean; once(event: 'close', listener: () => void): unknown }>

/** A request as it came in, with what every step needs to know of it. */
export type RequestContext = Readonly<{
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  /** Headers that every answer to this request carries; nothing is set on the response before its head is written. */
  head: Readonly<Record<string, string>>
  method: string
  /** Without the query and a trailing slash. */
  path: string
  query: string
  /** The dialect the caller is answered in. */
  format: Format
  /** The caller's address, forwarded ones only through trusted proxies. */
  ip: string
  /** The caller is told of errors in this shape, which is no dialect's. */
  errorsAs?: 'drawing' | 'task'
  locale: Locale
  userAgent: string
  /** Unix seconds. */
  at: number
  /** Monotonic milliseconds. */
  startedMs: number
  /** Over when the caller hangs up; ends when the gateway stops waiting for the drain, or the caller may call no more. */
  cancellation: Cancellation
  /** Closes when nothing is done for the request any more: its bodies take their room until then. */
  owner: Owner
}>
