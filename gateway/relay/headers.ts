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
  'openai-organization',
  'openai-project',
  'strict-transport-security',
  'x-request-id',
  'x-oneapi-request-id',
  'access-control-allow-origin',
  'access-control-allow-credentials',
])

type Head = Record<string, string | number | string[]>

/** The head of the caller's answer: what the upstream's answer passes on (spec/relay.md §2.2), under our own headers. */
export function passedOn(headers: IncomingHttpHeaders, own: Readonly<Head>, more: Readonly<Head>): Head {
  const head: Head = {}
  const hops = hopsIn(headers.connection)
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !NOT_PASSED.has(name) && !hops.includes(name)) head[name] = value
  }
  for (const name in own) head[name] = own[name] ?? ''
  for (const name in more) head[name] = more[name] ?? ''
  return head
}

/** Headers that the connection header names are about the connection as well (RFC 9110 §7.6.1); nearly always none. */
const hopsIn = (connection = ''): readonly string[] =>
  /^(close|keep-alive)?$/i.test(connection) ? NONE : connection.toLowerCase().split(/\s*,\s*/)
const NONE: readonly string[] = []

/** Whether an answer is a stream of server-sent events. */
export const isEventStream = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.startsWith('text/event-stream') ?? false

/** Whether an answer says that it is JSON. */
export const isJson = (headers: IncomingHttpHeaders): boolean =>
  /^[\w.+-]+\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')
