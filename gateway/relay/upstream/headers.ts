import type { IncomingHttpHeaders } from 'node:http'

/**
 * Headers of an upstream's answer that a caller is told: what the body is, when to ask again, the vendor's own name of the
 * request, and what the SDKs of OpenAI, Anthropic and Google read. Everything else is about the upstream's own connection,
 * its account (`openai-organization`, `anthropic-workspace-id`), its place in the network, or nobody knows about what.
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
/** What is left of a limit, under the names that OpenAI and its like, Anthropic, and the IETF's draft have for it. */
const PASSED_FAMILIES = /^(x-ratelimit|anthropic-ratelimit|anthropic-priority|ratelimit)(-|$)/

type Head = Record<string, string | number | string[]>

/**
 * The head of the caller's answer: what the upstream's answer passes on
 * (docs/reference/channel-types.md#common-rules), under our own headers.
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

/** What says what a body is: of another body a browser finds out by itself, and of several parts each says it again. */
const TYPE = /^(?!multipart\/)[\w.+-]+\/[\w.+-]+\s*(;|$)/i
/** Types that a browser runs: no answer of a model is one, and it would run in the console's own origin. */
const ACTIVE = /html|xml|svg|script/i

/** Headers that the connection header names are about the connection as well (RFC 9110 §7.6.1); nearly always none. */
const hopsIn = (connection = ''): readonly string[] =>
  /^(close|keep-alive)?$/i.test(connection)
    ? NONE
    : connection
        .toLowerCase()
        .split(',')
        .map((name) => name.trim())
const NONE: readonly string[] = []

/** Whether an answer is a stream of server-sent events. */
export const isEventStream = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.startsWith('text/event-stream') ?? false

/** Whether an answer says that it is JSON. */
export const isJson = (headers: IncomingHttpHeaders): boolean =>
  /^[\w.+-]+\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')
