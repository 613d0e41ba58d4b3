import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { GatewayError } from '../../base/errors.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Format } from '../formats/format.ts'
import type { RequestContext } from '../model/request-context.ts'
import { withoutKnown, withoutSecrets } from '../upstream/redaction.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { type ErrorFacts, errorBody, errorEvent, statusFor } from './error-shapes.ts'

/** The type of an error the gateway itself made. */
export const OWN_TYPE = 'switchyard_error'

/** What is told of an error; `errorBody` puts it into the caller's dialect. */
export type ShownError = Readonly<{
  status: number
  error: ErrorFacts
  retryAfter: string | undefined
}>

export type ShownTo = Readonly<{
  requestId: string
  locale: Locale
  group?: string
  channel?: ActiveChannel | undefined
}>

/** What may be told of an error: refusals in the reader's language, the vendor's words without our secrets, else nothing but an id. */
export function shown(error: unknown, to: ShownTo): ShownError {
  if (error instanceof GatewayError) return refusal(error, to)
  if (error instanceof UpstreamError) return upstream(error, to)
  const message = formatMessage(to.locale, 'relay.internal', { id: to.requestId })
  return { status: 500, error: { message, type: OWN_TYPE, param: '', code: 'internal_error' }, retryAfter: undefined }
}

function refusal(error: GatewayError, to: ShownTo): ShownError {
  const message = withId(formatMessage(to.locale, error.key, error.params), to.requestId)
  const retryAfter = error.retryAfterSeconds === undefined ? undefined : String(error.retryAfterSeconds)
  return {
    status: error.status,
    error: { message, type: OWN_TYPE, param: error.param ?? '', code: error.code ?? '' },
    retryAfter,
  }
}

/** A redirect is not followed and means nothing to the caller: a bad gateway. */
function upstream(error: UpstreamError, to: ShownTo): ShownError {
  const { body, retryAfter } = error
  const status = error.status < 400 ? 502 : error.status
  const message = withId(upstreamMessage(error, to), to.requestId)
  const said = body && factsOf(body, to.channel)
  if (said && status !== 429) {
    const { type = 'upstream_error', param = '', code = '' } = said
    return { status, error: { message, type: String(type), param, code }, retryAfter }
  }
  const type = said?.type ?? 'upstream_error'
  const code = said?.code ?? (error.transport ? 'do_request_failed' : 'bad_response_status_code')
  return { status, error: { message, type: String(type), param: String(status), code }, retryAfter }
}

/** What else the vendor's error object says, without our secrets; numbers stay numbers, objects become text. */
function factsOf({ type, param, code }: Readonly<Record<string, unknown>>, channel: ActiveChannel | undefined) {
  const clean = (fact: unknown): unknown => {
    if (typeof fact === 'string') return withoutKnown(fact, channel)
    return typeof fact === 'object' && fact !== null ? withoutKnown(JSON.stringify(fact), channel) : fact
  }
  return { type: clean(type), param: clean(param), code: clean(code) }
}

/** The vendor's own words where it sent an error object; a saturated or unreachable upstream is told in ours. */
function upstreamMessage(error: UpstreamError, { locale, group = '', channel }: ShownTo): string {
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
export function writeErrorEvent({ response, format }: RequestContext, { status, error }: ShownError): void {
  if (response.destroyed || response.writableEnded) return
  response.end(errorEvent(format, statusFor(format, status), error))
}

/** Writes an error as the whole answer, in the caller's dialect; does nothing once an answer has begun. */
export function writeError(
  { response, head, format }: RequestContext,
  { status: wanted, error, retryAfter }: ShownError,
): void {
  if (response.headersSent || response.destroyed) return
  const status = statusFor(format, wanted)
  const body = Buffer.from(JSON.stringify(errorBody(format, status, error)))
  response.writeHead(status, {
    ...head,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    ...(status === 503 || status === 408 ? { connection: 'close' } : {}),
  })
  response.end(body)
}

/** The statuses under which vendors tell that a quota is used up. */
const statuses: Readonly<Record<Format, number>> = { openai: 429, responses: 429, anthropic: 402, gemini: 429 }

/**
 * The event that ends a stream which its account cannot pay any further, as its vendor would tell it
 * (docs/reference/errors.md#errors-within-a-stream).
 */
export function quotaEvent(format: Format, requestId: string, locale: Locale): string {
  const message = `${formatMessage(locale, 'relay.streamQuota', {})} (request id: ${requestId})`
  const type = format === 'anthropic' ? 'billing_error' : 'insufficient_quota'
  return errorEvent(format, statuses[format], { message, type, param: '', code: 'insufficient_quota' })
}
