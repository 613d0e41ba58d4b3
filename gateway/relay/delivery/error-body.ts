import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { GatewayError, type Params } from '../../base/errors.ts'
import { storageRefusal } from '../../base/storage-fault.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { ErrorPosition } from '../formats/codec.ts'
import type { Format } from '../formats/format.ts'
import type { Call } from '../model/call.ts'
import type { RequestContext } from '../model/request-context.ts'
import { type ErrorKind, isForeignWord, statusOfKind } from '../upstream/error-kind.ts'
import { type OverflowFigures, overflowFigures } from '../upstream/overflow-wordings.ts'
import { withoutKnown, withoutSecrets } from '../upstream/redaction.ts'
import { codeText, isOverflow, UpstreamError } from '../upstream/upstream-error.ts'
import {
  type ErrorFacts,
  errorBody,
  errorEvent,
  OWN_TYPE,
  PAYMENT_REQUIRED,
  type ShownError,
  statusFor,
  taskErrorBody,
} from './error-shapes.ts'
import { STREAM_HEAD, STREAMED } from './keep-alive.ts'

export type ShownTo = Readonly<{
  requestId: string
  locale: Locale
  group?: string
  channel?: ActiveChannel | undefined
  /**
   * Sent within a response, where no other channel is tried: a rate limit keeps the vendor's message, which may include
   * a time.
   */
  isWithin?: boolean
}>

/**
 * What callers may see of an error: refusals in their language, vendor messages without our secrets, otherwise only an
 * id.
 */
export function shown(error: unknown, to: ShownTo): ShownError {
  if (error instanceof GatewayError) return refusal(error, to)
  if (error instanceof UpstreamError) return upstream(error, to)
  const unwritten = storageRefusal(error)
  if (unwritten) return refusal(unwritten, to)
  const message = formatMessage(to.locale, 'relay.internal', { id: to.requestId })
  return { status: 500, error: { message, type: OWN_TYPE, param: '', code: 'internal_error' } }
}

function refusal(error: GatewayError, to: ShownTo): ShownError {
  const message = withId(formatMessage(to.locale, error.key, error.params), to.requestId)
  const code = error.code ?? ''
  return {
    status: error.status,
    error: { message, type: OWN_TYPE, param: error.param ?? '', code },
    retryAfter: error.retryAfterSeconds === undefined ? undefined : String(error.retryAfterSeconds),
    kind: ownKind(code),
    overflow: code === codes.context.code ? { figures: figuresIn(error.params), isCoded: false } : undefined,
  }
}

/** What callers can act on in the gateway's own refusals. */
function ownKind(code: string): ErrorKind | undefined {
  if (ownQuotaCodes.has(code)) return 'quota'
  return code === codes.context.code ? 'context' : undefined
}

/** The measured size of a prompt that is too long for every channel. */
const figuresIn = ({ tokens, limit }: Params): OverflowFigures =>
  typeof tokens === 'number' && typeof limit === 'number' ? { tokens, limit } : {}

/** The gateway's refusals of an account or a token with nothing left (docs/reference/errors.md#refusals). */
const ownQuotaCodes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'pre_consume_token_quota_failed',
])

/**
 * Returns the part of a vendor's error that callers may see; a redirect, which is not followed, becomes a bad gateway.
 */
function upstream(error: UpstreamError, to: ShownTo): ShownError {
  const { body, retryAfter, kind } = error
  const status = callerStatus(error)
  const message = withId(upstreamMessage(error, to), to.requestId)
  const raw = body ? factsOf(body, to.channel) : undefined
  const facts = raw ? ofKind(kind, raw) : undefined
  const shownFacts = {
    message,
    type: facts?.type ?? 'upstream_error',
    param: facts && status !== 429 ? (facts.param ?? '') : String(status),
    code: facts?.code === undefined ? missingCode(error, facts !== undefined && status !== 429) : facts.code,
  }
  const isCoded = error.code === codes.context.code
  const overflow = isOverflow(error) ? { figures: overflowFigures(error.message), isCoded } : undefined
  return { status, error: shownFacts, retryAfter, kind, overflow }
}

/** The status, corrected for an exhausted account or a context overflow unless the channel maps statuses itself. */
function callerStatus(error: UpstreamError): number {
  const { status, vendorStatus, kind } = error
  if (status < 400) return 502
  if (status !== vendorStatus) return status
  if (kind === 'quota') return PAYMENT_REQUIRED
  return kind === 'context' ? statusOfKind(kind, status) : status
}

/** The code if the vendor sent none: empty for a vendor's error, else the reason. */
function missingCode(error: UpstreamError, hasBody: boolean): string {
  if (hasBody) return ''
  return error.transport ? 'do_request_failed' : 'bad_response_status_code'
}

type ErrorWords = Readonly<{ type: string | undefined; param: unknown; code: string | null | undefined }>

/** Other members of the vendor's error object, without our secrets: codes as text, objects as JSON. */
function factsOf(body: Readonly<Record<string, unknown>>, channel: ActiveChannel | undefined): ErrorWords {
  const cleanText = (text: string) => (WORD.test(text) ? withoutKnown(text, channel) : withoutSecrets(text, channel))
  const clean = (fact: unknown): unknown => {
    if (typeof fact === 'string') return cleanText(fact)
    return typeof fact === 'object' && fact !== null ? cleanText(JSON.stringify(fact)) : fact
  }
  const { type, param, code } = body
  const codeOf = () => cleanText(typeof code === 'object' ? JSON.stringify(code) : codeText(body))
  return {
    type: type === undefined || type === null ? undefined : String(clean(type)),
    param: clean(param),
    code: code === undefined || code === null ? code : codeOf(),
  }
}

/** A vendor's error word or the name of a member; too restricted to contain a secret. */
const WORD = /^[A-Za-z_.[\]-]{1,80}$/

const codes: Readonly<Record<ErrorKind, Readonly<{ type: string; code: string }>>> = {
  context: { type: 'invalid_request_error', code: 'context_length_exceeded' },
  quota: { type: 'insufficient_quota', code: 'insufficient_quota' },
  limited: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  overloaded: { type: 'service_unavailable_error', code: 'server_is_overloaded' },
}

/** Codes other than those of `codes` that OpenAI's clients act on. */
const alsoKnown: ReadonlySet<string> = new Set(['billing_hard_limit_reached', 'billing_not_active', 'slow_down'])

/**
 * Replaces a vendor's type and code with those that OpenAI's clients act on, unless it uses them already or its code is
 * more specific about a temporary limit.
 */
function ofKind(kind: ErrorKind | undefined, facts: ErrorWords): ErrorWords {
  const known = kind && codes[kind]
  const code = facts.code ?? ''
  if (!known || code === known.code || alsoKnown.has(code)) return facts
  const isPassing = kind === 'limited' || kind === 'overloaded'
  if (!isPassing) return { ...facts, ...known }
  const isOwn = code !== '' && !/^[45]\d\d$/.test(code) && !isForeignWord(code)
  const type = facts.type && !isForeignWord(facts.type) ? facts.type : known.type
  return isOwn ? facts : { ...facts, type, code: known.code }
}

/** The vendor's message if it sent an error object; ours for a saturated or unreachable upstream. */
function upstreamMessage(error: UpstreamError, { locale, group = '', channel, isWithin }: ShownTo): string {
  if (isWithin && error.body) return withoutSecrets(error.message, channel)
  if (error.status === 429 && error.kind === 'quota') return formatMessage(locale, 'relay.upstreamQuota', { group })
  if (error.status === 429) return formatMessage(locale, 'relay.saturated', { group })
  if (error.body) return withoutSecrets(error.message, channel)
  if (error.status === 504) return formatMessage(locale, 'relay.upstreamTimeout')
  if (error.transport) return formatMessage(locale, 'relay.upstreamFailed')
  return formatMessage(locale, 'relay.upstreamStatus', { status: error.status })
}

const withId = (message: string, requestId: string): string => `${message} (request id: ${requestId})`

/**
 * Ends a stream in which only comments were sent: after status 200, an error must be an event
 * (docs/reference/errors.md#errors-within-a-stream).
 */
export function writeErrorEvent(context: RequestContext, call: Call | undefined, failure: ShownError): void {
  const { response, format } = context
  if (response.destroyed || response.writableEnded) return
  response.end(errorEvent(format, failure, startOf(context, call)))
}

/**
 * Whether an error is sent in a stream even if nothing was sent yet: Responses clients expect a context overflow there,
 * because OpenAI sends it there (docs/reference/errors.md#errors-within-a-stream).
 */
export const isSentInStream = (format: Format, call: Call | undefined, { overflow }: ShownError): boolean =>
  format === 'responses' && overflow !== undefined && call?.stream === true

/** Writes an error as a stream; does nothing once a response has started. */
export function writeErrorStream(context: RequestContext, call: Call | undefined, failure: ShownError): void {
  const { response, head } = context
  if (response.headersSent || response.destroyed) return
  response.writeHead(200, { ...head, ...STREAM_HEAD, ...STREAMED })
  writeErrorEvent(context, call, failure)
}

const startOf = ({ requestId, at }: RequestContext, call: Call | undefined): ErrorPosition => ({
  frame: { id: requestId, model: call?.model ?? '', created: at, request: call?.json ?? {} },
  next: 0,
})

/** Writes an error as the complete response, in the caller's dialect; does nothing once a response has started. */
export function writeError({ response, head, format, errorsAs }: RequestContext, failure: ShownError): void {
  if (response.headersSent || response.destroyed) return
  const { retryAfter, kind } = failure
  const dialectStatus = statusFor(format, failure)
  const inDialect = { ...failure, status: dialectStatus }
  const { status, body: json } = errorsAs
    ? taskErrorBody(errorsAs, inDialect)
    : { status: dialectStatus, body: errorBody(format, inDialect) }
  const body = Buffer.from(JSON.stringify(json))
  response.writeHead(status, {
    ...head,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    // SDKs would retry any other 429.
    ...(kind === 'quota' ? { 'x-should-retry': 'false' } : {}),
    ...(status === 503 || status === 408 ? { connection: 'close' } : {}),
  })
  response.end(body)
}

/** The end of a stream whose account cannot pay for more, as its vendor would report it. */
export function streamQuota(requestId: string, locale: Locale): ShownError {
  const message = withId(formatMessage(locale, 'relay.streamQuota', {}), requestId)
  const error: ErrorFacts = { message, type: 'insufficient_quota', param: '', code: 'insufficient_quota' }
  return { status: PAYMENT_REQUIRED, error, kind: 'quota' }
}
