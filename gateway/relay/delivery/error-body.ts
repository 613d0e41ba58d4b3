import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { GatewayError, type Params } from '../../base/errors.ts'
import { storageRefusal } from '../../base/storage-fault.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { AnswerPlace } from '../formats/codec.ts'
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
  /** It was told within an answer, where no other channel is asked: a limit in the vendor's words, which may say how long. */
  isWithin?: boolean
}>

/** What may be told of an error: refusals in the reader's language, the vendor's words without our secrets, else nothing but an id. */
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

/** What can be acted on in a refusal of the gateway's own. */
function ownKind(code: string): ErrorKind | undefined {
  if (ownQuotaCodes.has(code)) return 'quota'
  return code === codes.context.code ? 'context' : undefined
}

/** What was measured of a prompt that no channel takes. */
const figuresIn = ({ tokens, limit }: Params): OverflowFigures =>
  typeof tokens === 'number' && typeof limit === 'number' ? { tokens, limit } : {}

/** The gateway's own refusals of an account or a token with nothing left (docs/reference/errors.md#refusals). */
const ownQuotaCodes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'pre_consume_token_quota_failed',
])

/** A redirect is not followed and means nothing to the caller: a bad gateway. */
function upstream(error: UpstreamError, to: ShownTo): ShownError {
  const { body, retryAfter, kind } = error
  const status = toldStatus(error)
  const message = withId(upstreamMessage(error, to), to.requestId)
  const said = body ? factsOf(body, to.channel) : undefined
  const facts = said ? ofKind(kind, said) : undefined
  const told = {
    message,
    type: facts?.type ?? 'upstream_error',
    param: facts && status !== 429 ? (facts.param ?? '') : String(status),
    code: facts?.code === undefined ? unsaid(error, facts !== undefined && status !== 429) : facts.code,
  }
  const isCoded = error.code === codes.context.code
  const overflow = isOverflow(error) ? { figures: overflowFigures(error.message), isCoded } : undefined
  return { status, error: told, retryAfter, kind, overflow }
}

/**
 * What counts for the caller: the status of the error's kind where a vendor has another for it, unless the channel maps
 * statuses itself.
 */
function toldStatus(error: UpstreamError): number {
  const { status, vendorStatus, kind } = error
  if (status < 400) return 502
  if (status !== vendorStatus) return status
  if (kind === 'quota') return PAYMENT_REQUIRED
  return kind === 'context' ? statusOfKind(kind, status) : status
}

/** The code where the vendor told none: nothing for an error of its own, else why there is none. */
function unsaid(error: UpstreamError, hasSaid: boolean): string {
  if (hasSaid) return ''
  return error.transport ? 'do_request_failed' : 'bad_response_status_code'
}

type Said = Readonly<{ type: string | undefined; param: unknown; code: string | null | undefined }>

/** What else the vendor's error object says, without our secrets: codes as texts, objects as their JSON. */
function factsOf(body: Readonly<Record<string, unknown>>, channel: ActiveChannel | undefined): Said {
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

/** A word of a vendor's for what went wrong, or the name of a member, in which nothing can hide. */
const WORD = /^[A-Za-z_.[\]-]{1,80}$/

/** The words of OpenAI's dialects for each kind of error ("Error codes"). */
const codes: Readonly<Record<ErrorKind, Readonly<{ type: string; code: string }>>> = {
  context: { type: 'invalid_request_error', code: 'context_length_exceeded' },
  quota: { type: 'insufficient_quota', code: 'insufficient_quota' },
  limited: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  overloaded: { type: 'service_unavailable_error', code: 'server_is_overloaded' },
}

/** Words of a kind that OpenAI's clients know as well as the usual one. */
const alsoKnown: ReadonlySet<string> = new Set(['billing_hard_limit_reached', 'billing_not_active', 'slow_down'])

/**
 * A vendor's facts in the words that OpenAI's clients act on; its own where it uses these, or where a code of its own
 * says more of a limit that passes.
 */
function ofKind(kind: ErrorKind | undefined, said: Said): Said {
  const words = kind && codes[kind]
  const code = said.code ?? ''
  if (!words || code === words.code || alsoKnown.has(code)) return said
  const isPassing = kind === 'limited' || kind === 'overloaded'
  if (!isPassing) return { ...said, ...words }
  const isOwn = code !== '' && !/^[45]\d\d$/.test(code) && !isForeignWord(code)
  const type = said.type && !isForeignWord(said.type) ? said.type : words.type
  return isOwn ? said : { ...said, type, code: words.code }
}

/** The vendor's own words where it sent an error object; a saturated or unreachable upstream is told in ours. */
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
 * Ends a stream of which nothing but comments has gone out: with status 200 told, an error is an event
 * (docs/reference/errors.md#errors-within-a-stream).
 */
export function writeErrorEvent(context: RequestContext, call: Call | undefined, failure: ShownError): void {
  const { response, format } = context
  if (response.destroyed || response.writableEnded) return
  response.end(errorEvent(format, failure, startOf(context, call)))
}

/**
 * Whether an error is told within a stream though nothing has gone out: clients of Responses read there that a prompt
 * is too long, as its vendor tells it (docs/reference/errors.md#errors-within-a-stream).
 */
export const isToldInStream = (format: Format, call: Call | undefined, { overflow }: ShownError): boolean =>
  format === 'responses' && overflow !== undefined && call?.stream === true

/** Writes an error as a stream of its own; does nothing once an answer has begun. */
export function writeErrorStream(context: RequestContext, call: Call | undefined, failure: ShownError): void {
  const { response, head } = context
  if (response.headersSent || response.destroyed) return
  response.writeHead(200, { ...head, ...STREAM_HEAD, ...STREAMED })
  writeErrorEvent(context, call, failure)
}

/** The place of an answer that has not begun. */
const startOf = ({ requestId, at }: RequestContext, call: Call | undefined): AnswerPlace => ({
  frame: { id: requestId, model: call?.model ?? '', created: at, request: call?.json ?? {} },
  next: 0,
})

/** Writes an error as the whole answer, in the caller's dialect; does nothing once an answer has begun. */
export function writeError({ response, head, format, errorsAs }: RequestContext, failure: ShownError): void {
  if (response.headersSent || response.destroyed) return
  const { retryAfter, kind } = failure
  const dialectStatus = statusFor(format, failure)
  const inDialect = { ...failure, status: dialectStatus }
  const { status, body: told } = errorsAs
    ? taskErrorBody(errorsAs, inDialect)
    : { status: dialectStatus, body: errorBody(format, inDialect) }
  const body = Buffer.from(JSON.stringify(told))
  response.writeHead(status, {
    ...head,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    // SDKs would try any 429 again.
    ...(kind === 'quota' ? { 'x-should-retry': 'false' } : {}),
    ...(status === 503 || status === 408 ? { connection: 'close' } : {}),
  })
  response.end(body)
}

/** What a stream ends with which its account cannot pay any further, as its vendor would tell it. */
export function streamQuota(requestId: string, locale: Locale): ShownError {
  const message = withId(formatMessage(locale, 'relay.streamQuota', {}), requestId)
  const error: ErrorFacts = { message, type: 'insufficient_quota', param: '', code: 'insufficient_quota' }
  return { status: PAYMENT_REQUIRED, error, kind: 'quota' }
}
