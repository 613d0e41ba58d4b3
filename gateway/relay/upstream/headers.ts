import type { IncomingHttpHeaders } from 'node:http'

/**
 * Upstream response headers that callers get: the type of the body, retry times, the vendor's request id, and those
 * that the SDKs of OpenAI, Anthropic and Google read. All others concern the upstream's connection, account
 * (`openai-organization`, `anthropic-workspace-id`) or network, or are unknown.
 */
const PASSED = new Set([
  'content-type',
  'content-disposition',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'request-id',
  'apim-request-id',
  'x-ms-request-id',
  'x-amzn-requestid',
  'x-goog-request-id',
  'openai-processing-ms',
  'openai-version',
  'openai-poll-after-ms',
  'x-gemini-service-tier',
])
/** Rate limit headers of OpenAI and compatible vendors, Anthropic, and the IETF's draft. */
const PASSED_FAMILIES = /^(x-ratelimit|anthropic-ratelimit|anthropic-priority|ratelimit)(-|$)/

type Head = Record<string, string | number | string[]>

/**
 * The headers of the response: those passed on from the upstream (docs/reference/channel-types.md#common-rules), with
 * lower precedence than our own.
 */
export function passedOn(headers: IncomingHttpHeaders, own: Readonly<Head>, more: Readonly<Head>): Head {
  const head: Head = {}
  const hops = hopsIn(headers.connection)
  for (const name in headers) {
    const value = headers[name]
    const isPassed = PASSED.has(name) || PASSED_FAMILIES.test(name)
    if (value !== undefined && isPassed && !hops.includes(name)) head[name] = value
  }
  const type = headers['content-type'] ?? ''
  if (!TYPE.test(type)) head['content-type'] = 'application/octet-stream'
  else if (ACTIVE.test(type)) head['content-type'] = 'text/plain; charset=utf-8'
  for (const name in own) head[name] = own[name] ?? ''
  for (const name in more) head[name] = more[name] ?? ''
  return head
}

/**
 * A valid type that is not multipart: browsers sniff other types, and each part of a multipart body declares a type
 * again.
 */
const TYPE = /^(?!multipart\/)[\w.+-]+\/[\w.+-]+\s*(;|$)/i
/** Types that a browser executes: no model returns one, and it would run in the console's origin. */
const ACTIVE = /html|xml|svg|script/i

/** Headers named by the connection header are hop-by-hop too (RFC 9110 §7.6.1); nearly always none. */
const hopsIn = (connection = ''): readonly string[] =>
  /^(close|keep-alive)?$/i.test(connection)
    ? NONE
    : connection
        .toLowerCase()
        .split(',')
        .map((name) => name.trim())
const NONE: readonly string[] = []

export const isEventStream = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.startsWith('text/event-stream') ?? false

export const isJson = (headers: IncomingHttpHeaders): boolean =>
  /^[\w.+-]+\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')
