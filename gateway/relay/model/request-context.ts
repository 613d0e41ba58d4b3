import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Locale } from '../../../shared/messages/format.ts'
import type { Format } from '../formats/format.ts'
import type { Cancellation } from './cancellation.ts'

/**
 * A request or a connection whose bodies count toward the memory budget until it closes. Not a response, which closes
 * as soon as its caller hangs up, while its body is still being read.
 */
export type Owner = Readonly<{
  closed: boolean
  once(event: 'close', listener: () => void): unknown
  headersSent?: never
}>

export type RequestContext = Readonly<{
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  /** Headers of every response to this request, including errors; the stages add to them. */
  head: Record<string, string>
  method: string
  /** Without the query and without a trailing slash. */
  path: string
  query: string
  format: Format
  /** The caller's address; forwarded ones only through trusted proxies. */
  ip: string
  /** Errors are written in this shape, which belongs to no dialect. */
  errorsAs?: 'drawing' | 'task'
  locale: Locale
  userAgent: string
  /** Unix seconds. */
  at: number
  /** Monotonic milliseconds. */
  startedMs: number
  /** Over when the caller hangs up; ends with the request, with the shutdown, or if the account is no longer active. */
  cancellation: Cancellation
  /** Closes when no work for the request is left; until then its bodies count toward the memory budget. */
  owner: Owner
}>
