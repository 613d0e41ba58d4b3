import { type ShownTo, shown, writeError } from '../delivery/error-body.ts'
import type { RequestContext } from '../model/request-context.ts'

/** Writes a whole JSON answer of the gateway's own, from a value, its text or its bytes. A HEAD gets the head only. */
export function sendJson({ response, head }: RequestContext, status: number, body: object | string): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const headers = { ...head, 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length }
  response.writeHead(status, headers).end(bytes)
}

/** Tells what went wrong in the caller's dialect and language; `more` is what is known of where it did. */
export function sendError(
  context: RequestContext,
  error: unknown,
  more: Pick<ShownTo, 'group' | 'channel'> = {},
): void {
  writeError(context, shown(error, { requestId: context.requestId, locale: context.locale, ...more }))
}
