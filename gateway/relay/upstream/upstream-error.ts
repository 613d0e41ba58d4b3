import { channelTypes } from '../../../shared/channel-types.ts'
import { isObject, parsed } from '../../base/json.ts'

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

  constructor(status: number, message: string, facts: Facts = {}) {
    super(message, { cause: facts.cause })
    this.status = status
    this.vendorStatus = facts.vendorStatus ?? status
    this.body = facts.body ?? null
    this.type = textOf(facts.body?.type)
    this.code = textOf(facts.body?.code)
    this.retryAfter = facts.retryAfter
    this.transport = facts.transport ?? false
  }
}

type Facts = Readonly<{
  vendorStatus?: number
  body?: Record<string, unknown> | null
  retryAfter?: string | undefined
  transport?: boolean
  cause?: unknown
}>

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
  if (typeof json.error === 'string' && json.error !== '') return new UpstreamError(502, json.error)
  const body = json.type === 'error' && !isObject(json.error) ? json : json.error
  if (!isObject(body)) return undefined
  const message = messageIn(json)
  return message || body.type
    ? new UpstreamError(502, message || 'the response contains an error', { body })
    : undefined
}

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
 * Whether another channel may be tried (docs/reference/selection.md#retries): the first condition that fits decides.
 */
export function isRetryable(error: UpstreamError, channelType: number): boolean {
  const { status } = error
  if (error.transport) return true
  if (status === 429 || status === 307) return true
  if (status === 504 || status === 524 || status === 408) return false
  if (status >= 500) return true
  if (status === 400) return channelType === channelTypes.anthropic.id
  return status >= 300
}
