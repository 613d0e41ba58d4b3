import { type ShownTo, shown, writeError } from '../delivery/error-body.ts'
import type { RequestContext } from '../model/request-context.ts'

/** Writes a complete JSON response from a value, its text or its bytes. HEAD gets only the headers. */
export function sendJson({ response, head }: RequestContext, status: number, body: object | string): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const headers = { ...head, 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length }
  response.writeHead(status, headers).end(bytes)
}

/** Sends an error in the caller's dialect and language; `more` has facts about its origin. */
export function sendError(
  context: RequestContext,
  error: unknown,
  more: Pick<ShownTo, 'group' | 'channel'> = {},
): void {
  writeError(context, shown(error, { requestId: context.requestId, locale: context.locale, ...more }))
}
