import type { ErrorPosition } from '../formats/codec.ts'
import type { Format } from '../formats/format.ts'
import { failedEvents } from '../formats/responses/failed-events.ts'
import type { ErrorKind } from '../upstream/error-kind.ts'
import { type Overflow, overflowMessage } from './overflow-message.ts'

/** An error with the members of OpenAI's dialect. */
export type ErrorFacts = Readonly<{ message: string; type: string; param: unknown; code: string | null }>

/** An error before it is written in a dialect by `errorBody` or `errorEvent`. */
export type ShownError = Readonly<{
  status: number
  error: ErrorFacts
  retryAfter?: string | undefined
  /** What callers can act on (docs/reference/errors.md#kinds). */
  kind?: ErrorKind | undefined
  overflow?: Overflow | undefined
}>

/**
 * The error body in the caller's dialect (docs/reference/errors.md#error-shapes), as the SDK of the dialect's vendor
 * expects it.
 */
export function errorBody(format: Format, failure: ShownError): object {
  const error = { ...failure.error, message: messageIn(format, failure) }
  if (format === 'anthropic') return { type: 'error', error: { type: anthropicType(failure), message: error.message } }
  return format === 'gemini' ? { error: geminiError(failure, error.message) } : { error }
}

/**
 * The error body and status for a drawing, in the form that clients of Midjourney proxies expect, or for another task
 * (docs/reference/errors.md#tasks).
 */
export function taskErrorBody(
  shape: 'drawing' | 'task',
  failure: ShownError,
): Readonly<{ status: number; body: object }> {
  const { status: own, error } = failure
  const { message, type } = error
  const word = error.code ?? ''
  if (shape === 'task') return { status: own, body: { code: word || 'task_failed', message, data: null } }
  const isVendors = type !== OWN_TYPE
  const code = drawingCode(own, word, isVendors)
  const status = isVendors && code !== SATURATED ? 400 : own
  const description = isVendors || word === '' ? message : `${word} ${message}`
  return { status: code === SATURATED ? 429 : status, body: { description, type, code } }
}

export const OWN_TYPE = 'switchyard_error'

/** Numeric codes of Midjourney's proxies: bad request, unknown, blocked, busy. */
const BAD_REQUEST = 4
const UNKNOWN = 5
const BLOCKED = 24
const SATURATED = 30

function drawingCode(status: number, word: string, isVendors: boolean): number {
  if (status === 429 || word === 'channels_saturated') return SATURATED
  if (isVendors) return /^\d{1,4}$/.test(word) ? Number(word) : UNKNOWN
  return word === 'sensitive_words_detected' ? BLOCKED : BAD_REQUEST
}

/**
 * The event that ends a broken stream (docs/reference/errors.md#errors-within-a-stream); for Responses the events
 * `error` and `response.failed`, except those already sent, with the next sequence numbers. A leading blank line ends
 * an event that was cut.
 */
export function errorEvent(format: Format, failure: ShownError, position: ErrorPosition): string {
  if (format === 'responses') return leading(failedEvents(responsesError(failure), position))
  const body = JSON.stringify(errorBody(format, format === 'openai' ? withCode(failure) : failure))
  return format === 'anthropic' ? `\nevent: error\ndata: ${body}\n\n` : `\ndata: ${body}\n\n`
}

const leading = (events: string): string => (events === '' ? '' : `\n${events}`)

/** The error of a failed response, with the codes that Responses clients act on. */
function responsesError(failure: ShownError): ErrorFacts {
  const { error } = withCode(failure)
  const { code, param } = error
  return { ...error, code: code || 'server_error', param: param || null, message: messageIn('responses', failure) }
}

/** Adds the code of the kind, which a stream needs since it has no status. */
function withCode(failure: ShownError): ShownError {
  const { error, kind } = failure
  return kind ? { ...failure, error: { ...error, code: streamCodes[kind] } } : failure
}

const streamCodes: Readonly<Record<ErrorKind, string>> = {
  context: 'context_length_exceeded',
  quota: 'insufficient_quota',
  limited: 'rate_limit_exceeded',
  overloaded: 'server_is_overloaded',
}

/**
 * The status that clients of a dialect understand: only Anthropic's know 529 for "overloaded", and 402 for an account
 * with nothing left; the others get 503 and 429.
 */
export function statusFor(format: Format, { status, kind }: ShownError): number {
  if (status === OVERLOADED && format !== 'anthropic') return 503
  return status === PAYMENT_REQUIRED && kind === 'quota' && format !== 'anthropic' ? 429 : status
}

const OVERLOADED = 529
/** The status of an account with nothing left, before conversion to a dialect. */
export const PAYMENT_REQUIRED = 402

function messageIn(format: Format, { error: { message }, overflow }: ShownError): string {
  return overflow ? overflowMessage(format, message, overflow) : message
}

const anthropicTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}
const knownTypes = new Set(Object.values(anthropicTypes))

const anthropicKinds: Readonly<Partial<Record<ErrorKind, string>>> = {
  quota: 'billing_error',
  limited: 'rate_limit_error',
  overloaded: 'overloaded_error',
}

/**
 * The type of the error's kind, else (not for a context overflow) the upstream's if Anthropic has it, else that of the
 * status.
 */
function anthropicType({ status, kind, error: { type } }: ShownError): string {
  const ofKind = kind && anthropicKinds[kind]
  if (ofKind) return ofKind
  if (kind !== 'context' && knownTypes.has(type)) return type
  return anthropicTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

const geminiStatuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/**
 * `details` distinguish a temporary limit, with its delay, from an account with nothing left (google.rpc,
 * error_details.proto).
 */
function geminiError(failure: ShownError, message: string): object {
  const { kind, retryAfter } = failure
  const code = statusFor('gemini', failure)
  const ofStatus = geminiStatuses[code] ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
  const error = { code, message, status: kind === 'quota' ? 'RESOURCE_EXHAUSTED' : ofStatus }
  if (kind === 'quota') return { ...error, details: [QUOTA_EXHAUSTED] }
  const isDelay = code === 429 && retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter)
  return isDelay ? { ...error, details: [{ '@type': `${RPC}.RetryInfo`, retryDelay: `${retryAfter}s` }] } : error
}

const RPC = 'type.googleapis.com/google.rpc'
const QUOTA_EXHAUSTED = { '@type': `${RPC}.ErrorInfo`, reason: 'QUOTA_EXHAUSTED', domain: 'switchyard' }
