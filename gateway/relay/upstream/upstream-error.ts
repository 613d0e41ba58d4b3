import { channelTypes } from '../../../shared/channel-types.ts'
import { isObject, parsed } from '../../base/json/json.ts'
import { type ErrorKind, errorKind, statusOfKind } from './error-kind.ts'
import { retryDelayIn } from './retry-delay.ts'

/** What the vendor said; kept whole so that it can be passed on, mapped, retried or matched against keywords. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  /** After the channel's status-code mapping (docs/reference/selection.md#status-code-mapping). */
  readonly status: number
  /** What the vendor itself answered with. */
  readonly vendorStatus: number
  /** The vendor's own error object, where it sent one. */
  readonly body: Readonly<Record<string, unknown>> | null
  readonly type: string
  readonly code: string
  readonly retryAfter: string | undefined
  /** No answer began: connecting, waiting for headers, or a connection that broke. */
  readonly transport: boolean
  /** What callers can act on in it (docs/reference/errors.md#kinds). */
  readonly kind: ErrorKind | undefined

  constructor(status: number, message: string, facts: Facts = {}) {
    super(message, { cause: facts.cause })
    // No status of HTTP is larger; callers and their libraries refuse one.
    this.status = status > 599 ? 502 : status
    this.vendorStatus = facts.vendorStatus ?? status
    this.body = facts.body ?? null
    this.type = textOf(facts.body?.type)
    this.code = codeText(facts.body)
    this.retryAfter = facts.retryAfter ?? retryDelayIn(facts.body)
    this.transport = facts.transport ?? false
    this.kind = this.transport
      ? undefined
      : errorKind({ status: this.vendorStatus, type: this.type, code: this.code, message })
  }
}

type Facts = Readonly<{
  vendorStatus?: number
  body?: Record<string, unknown> | null
  retryAfter?: string | undefined
  transport?: boolean
  cause?: unknown
}>

/**
 * The code of an error object as text: the name of a status of Google's, whose code is a number that only repeats the
 * status, else the vendor's own.
 */
export function codeText(body: Readonly<Record<string, unknown>> | null | undefined): string {
  const { code, status } = body ?? {}
  return typeof code === 'number' && typeof status === 'string' ? status : textOf(code)
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/**
 * Reads an error body in any of the shapes vendors use (docs/reference/errors.md#upstream-errors): `error.message`,
 * `message`, `msg`, `err`, `error_msg`, `header.message`, `response.error.message`, `errors[0].message` (Cloudflare);
 * `error` may be a plain string, the body an array. `status` is the one that counts for the channel, `vendorStatus`
 * what it was made of.
 */
export function readError(
  status: number,
  text: string,
  retryAfter?: string | undefined,
  vendorStatus = status,
): UpstreamError {
  const said = parsed(text)
  const json = Array.isArray(said) ? said[0] : said
  const message = isObject(json) ? messageIn(json) : ''
  return new UpstreamError(status, message || `bad response status code ${status}`, {
    body: isObject(json) && message ? saidIn(json) : null,
    retryAfter,
    vendorStatus,
  })
}

/** The object that says what is wrong: a member of the body, or the body itself. */
function saidIn(json: Record<string, unknown>): Record<string, unknown> {
  if (isObject(json.error)) return json.error
  const listed: unknown = Array.isArray(json.errors) ? json.errors[0] : undefined
  return isObject(listed) ? listed : json
}

/**
 * The error, an object or a text, of an answer that came with a good status
 * (docs/reference/errors.md#upstream-errors), or the answer itself where it is an error event of Responses; undefined
 * for a real answer.
 */
export function errorInAnswer(json: unknown): UpstreamError | undefined {
  if (!isObject(json)) return undefined
  if (typeof json.error === 'string' && json.error !== '') return toldInAnswer(json.error)
  const body = json.type === 'error' && !isObject(json.error) ? json : json.error
  if (!isObject(body)) return undefined
  const message = messageIn(json)
  return message || body.type ? toldInAnswer(message || 'the response contains an error', body) : undefined
}

/**
 * An error that a vendor tells within a good status, under the status of its kind; 502 where it has none. The code of
 * Google's and OpenRouter's is the status it would have had.
 */
export function toldInAnswer(
  message: string,
  body: Record<string, unknown> | null = null,
  status = BAD_GATEWAY,
): UpstreamError {
  const said = body?.code
  const vendorStatus = typeof said === 'number' && said >= 400 && said <= 599 ? said : status
  const { kind } = new UpstreamError(vendorStatus, message, { body })
  return new UpstreamError(statusOfKind(kind, kind ? vendorStatus : status), message, { body })
}

const BAD_GATEWAY = 502

function messageIn(json: Record<string, unknown>): string {
  const { error, errors, header, response } = json
  const listed: unknown = Array.isArray(errors) ? errors[0] : undefined
  const inner = isObject(response) ? response.error : undefined
  const candidates = [
    isObject(error) ? error.message : error,
    json.message,
    json.msg,
    json.err,
    json.error_msg,
    isObject(header) ? header.message : undefined,
    isObject(inner) ? inner.message : undefined,
    isObject(listed) ? listed.message : undefined,
  ]
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '') ?? ''
}

/**
 * Whether a prompt has more tokens than its model takes, which is no channel's doing and the same with another; a body
 * with too many bytes may pass elsewhere.
 */
export const isOverflow = ({ kind, vendorStatus }: UpstreamError): boolean =>
  kind === 'context' && vendorStatus !== TOO_LARGE

const TOO_LARGE = 413

/**
 * Whether another channel may be tried (docs/reference/selection.md#retries): the first condition that fits decides.
 */
export function isRetryable(error: UpstreamError, channelType: number): boolean {
  const { status } = error
  if (error.transport) return true
  if (isOverflow(error)) return false
  if (status === 429 || status === 307) return true
  if (status === 504 || status === 524 || status === 408) return false
  if (status >= 500) return true
  if (status === 400) return channelType === channelTypes.anthropic.id
  return status >= 300
}
