import type { IncomingHttpHeaders } from 'node:http'

/** Headers of an upstream's answer that are about its own connection, or that the gateway sets itself. */
const NOT_PASSED = new Set([
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'trailer',
  'te',
  'set-cookie',
  'date',
  'server',
  'alt-svc',
  'strict-transport-security',
  'x-request-id',
  'x-oneapi-request-id',
  'access-control-allow-origin',
  'access-control-allow-credentials',
])

/** The headers of an upstream's answer that go on to the caller (spec/relay.md §2.2). */
export function passedOn(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !NOT_PASSED.has(name)) passed[name] = value
  }
  return passed
}

/** Whether an answer is a stream of server-sent events. */
export const isEventStream = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.startsWith('text/event-stream') ?? false
