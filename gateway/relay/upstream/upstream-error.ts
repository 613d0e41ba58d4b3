import { channelTypes } from '../../../shared/channel-types.ts'
import { isObject, parsed } from '../../base/json/json.ts'
import { sumOf, type Usage } from '../../billing/usage.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { codeInCut, withoutOutput } from '../metering/output-in-errors.ts'
import { type ErrorKind, errorKind, statusOfKind } from './error-kind.ts'
import { retryDelayIn } from './retry-delay.ts'

/** A vendor's error, stored complete so that it can be passed on, mapped, retried or matched against keywords. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  /** After the channel's status-code mapping (docs/reference/selection.md#status-code-mapping). */
  readonly status: number
  readonly vendorStatus: number
  readonly body: Readonly<Record<string, unknown>> | null
  readonly type: string
  readonly code: string
  readonly retryAfter: string | undefined
  /**
   * The call failed without an error from the vendor, so another channel may be tried. False if the wait for the
   * response's headers timed out.
   */
  readonly transport: boolean
  /**
   * The vendor bills the call: it is charged, and no other channel gets it (docs/reference/billing.md#accepted-orders).
   */
  readonly isBilled: boolean
  /** The usage of a billed call, if known, or of a model's mistake, which is charged if no channel responds. */
  readonly usage: Usage | undefined
  /** The usage of earlier attempts that ended with a model's mistake. */
  earlierUsage: Usage | undefined
  /** What callers can act on (docs/reference/errors.md#kinds). */
  readonly kind: ErrorKind | undefined

  constructor(status: number, message: string, facts: Facts = {}) {
    super(withoutOutput(message), { cause: facts.cause })
    // HTTP has no larger status; callers and their libraries reject one.
    this.status = status > 599 ? 502 : status
    this.vendorStatus = facts.vendorStatus ?? status
    this.body = facts.body ?? null
    this.type = textOf(facts.body?.type)
    this.code = codeText(facts.body)
    this.retryAfter = facts.retryAfter ?? retryDelayIn(facts.body)
    this.transport = facts.transport ?? false
    this.isBilled = facts.isBilled ?? false
    this.usage = facts.usage
    this.kind = this.transport
      ? undefined
      : errorKind({ status: this.vendorStatus, type: this.type, code: this.code, message })
  }

  /** This error of a call that the vendor bills. */
  billedFor(usage: Usage | undefined): UpstreamError {
    const { status, message, vendorStatus, body, retryAfter, transport, cause } = this
    const facts = { vendorStatus, body, retryAfter, transport, isBilled: true, usage, cause }
    return new UpstreamError(status, message, facts).after(this.earlierUsage)
  }

  /** Adds the usage of an earlier attempt. */
  after(usage: Usage | undefined): this {
    if (usage) this.earlierUsage = this.earlierUsage ? sumOf(this.earlierUsage, usage) : usage
    return this
  }
}

/**
 * A good response beyond the limits of responses (docs/reference/limits.md#bodies), which the vendor charges for: it is
 * charged unless `isBilled` is false, and neither retried nor counted as a failure of its channel.
 */
export class OversizeAnswer extends UpstreamError {
  constructor(
    usage?: Usage,
    isBilled = true,
    message = 'the response is too long to be read at once: request a stream',
  ) {
    super(400, message, { body: { code: 'response_too_large' }, isBilled, usage })
  }
}

/** The error for a response with too much to convert: charged if these events report its final usage. */
export function tooMuchToConvert(events: readonly AnswerEvent[]): OversizeAnswer {
  const last = events.findLast((event) => event.type === 'usage')
  const usage = last?.isBegun ? undefined : last?.usage
  return new OversizeAnswer(usage, usage !== undefined)
}

type Facts = Readonly<{
  vendorStatus?: number
  body?: Readonly<Record<string, unknown>> | null
  retryAfter?: string | undefined
  transport?: boolean
  isBilled?: boolean
  usage?: Usage | undefined
  cause?: unknown
}>

/**
 * The code of an error object as text: Google's status name, since its numeric code only repeats the status, else the
 * vendor's code.
 */
export function codeText(body: Readonly<Record<string, unknown>> | null | undefined): string {
  const { code, status } = body ?? {}
  return typeof code === 'number' && typeof status === 'string' ? status : textOf(code)
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/**
 * Reads an error body in any of the shapes that vendors use (docs/reference/errors.md#upstream-errors):
 * `error.message`, `message`, `msg`, `err`, `error_msg`, `header.message`, `response.error.message`,
 * `errors[0].message` (Cloudflare); `error` may be a plain string, the body an array. `status` is the channel's mapped
 * status, `vendorStatus` the original.
 */
export function readError(
  status: number,
  text: string,
  retryAfter?: string | undefined,
  vendorStatus = status,
  isBilled = false,
): UpstreamError {
  const value = parsed(text)
  const json = Array.isArray(value) ? value[0] : value
  const message = isObject(json) ? messageIn(json) : ''
  const code = value === undefined ? codeInCut(text) : undefined
  const cut = code ? { code } : null
  return new UpstreamError(status, message || `bad response status code ${status}`, {
    body: isObject(json) && message ? errorObjectIn(json) : cut,
    retryAfter,
    vendorStatus,
    isBilled,
  })
}

/** The object with the error: a member of the body, or the body itself. */
function errorObjectIn(json: Record<string, unknown>): Record<string, unknown> {
  if (isObject(json.error)) return json.error
  const listed: unknown = Array.isArray(json.errors) ? json.errors[0] : undefined
  return isObject(listed) ? listed : json
}

/**
 * The error in a response with a success status (docs/reference/errors.md#upstream-errors): an object or a text, or the
 * response itself if it is an error event of Responses; undefined for a real response.
 */
export function errorInAnswer(json: unknown): UpstreamError | undefined {
  if (!isObject(json)) return undefined
  if (typeof json.error === 'string' && json.error !== '') return errorInResponse(json.error)
  const body = json.type === 'error' && !isObject(json.error) ? json : json.error
  if (!isObject(body)) return undefined
  const message = messageIn(json)
  return message || body.type ? errorInResponse(message || 'the response contains an error', body) : undefined
}

/**
 * A vendor's error in a response with a success status, with the status of its kind, or `status` without a kind. A
 * numeric code (Google's, OpenRouter's) is the intended status, and helps to determine the kind.
 */
export function errorInResponse(
  message: string,
  body: Record<string, unknown> | null = null,
  status = BAD_GATEWAY,
): UpstreamError {
  const code = body?.code
  const vendorStatus = typeof code === 'number' && code >= 400 && code <= 599 ? code : status
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
 * Whether a prompt has more tokens than its model accepts: not the channel's fault, and the same on any other. A body
 * with too many bytes may succeed elsewhere.
 */
export const isOverflow = ({ kind, vendorStatus }: UpstreamError): boolean =>
  kind === 'context' && vendorStatus !== TOO_LARGE

const TOO_LARGE = 413

/**
 * Whether an MCP server that the request names has failed: the same on any other channel. Bedrock also has this status
 * for errors of its models, so the type or the message must name a server.
 */
export const isDependency = ({ vendorStatus, type, message }: UpstreamError): boolean =>
  vendorStatus === 424 && /mcp|connector/i.test(`${type} ${message}`)

/**
 * Whether one request of so many bytes exceeds a vendor's whole rate: OpenAI's "Request too large … on tokens per min",
 * or a rate that Anthropic states, if the request may have that many tokens.
 */
export function isTooLargeForRate({ vendorStatus, message }: UpstreamError, bytes: number): boolean {
  if (vendorStatus !== 429) return false
  const stated = RATE.exec(message)?.[1]?.replaceAll(',', '')
  return (
    message.startsWith('Request too large') || (stated !== undefined && bytes / MIN_BYTES_PER_TOKEN > Number(stated))
  )
}

const RATE = /rate limit of ([\d,]{1,15}) (?:input )?tokens per minute/
const MIN_BYTES_PER_TOKEN = 2

/**
 * Whether a key may not use the endpoint, although it may use others: OpenAI refuses it with 401 or 403 and names the
 * missing scopes (OpenAI Help Center, "Assign API Key Permissions").
 */
export const lacksScope = ({ vendorStatus, code, message }: UpstreamError): boolean =>
  (vendorStatus === 401 || vendorStatus === 403) &&
  (code === 'missing_scope' || /missing scopes?:|insufficient permissions for this operation/i.test(message))

/** Whether another channel may be tried (docs/reference/selection.md#retries): the first matching condition decides. */
export function isRetryable(error: UpstreamError, channelType: number): boolean {
  const { status } = error
  if (error.isBilled || error instanceof OversizeAnswer) return false
  if (error.transport) return true
  if (isOverflow(error)) return false
  if (status === 429 || status === 307) return true
  if (status === 504 || status === 524 || status === 408 || isDependency(error)) return false
  if (status >= 500) return true
  if (status === 400) return channelType === channelTypes.anthropic.id
  return status >= 300
}
