import type { Format } from '../formats/format.ts'

/** What is told of an error, in no dialect yet: the members OpenAI's has. */
export type ErrorFacts = Readonly<{ message: string; type: string; param: unknown; code: unknown }>

/**
 * The body of an error in the dialect of its reader (docs/reference/errors.md#error-shapes), as that vendor's SDK
 * expects it.
 */
export function errorBody(format: Format, status: number, error: ErrorFacts): object {
  if (format === 'anthropic')
    return { type: 'error', error: { type: anthropicType(status, error.type), message: error.message } }
  if (format === 'gemini') return { error: { code: status, message: error.message, status: geminiStatus(status) } }
  return { error }
}

/**
 * The event that ends a broken stream (docs/reference/errors.md#errors-within-a-stream). The empty line in front ends
 * an event that was cut.
 */
export function errorEvent(format: Format, status: number, error: ErrorFacts): string {
  const { message, code, param } = error
  if (format === 'responses')
    return `\nevent: error\ndata: ${JSON.stringify({ type: 'error', code: String(code), message, param: param || null })}\n\n`
  const body = JSON.stringify(errorBody(format, status, error))
  return format === 'anthropic' ? `\nevent: error\ndata: ${body}\n\n` : `\ndata: ${body}\n\n`
}

/** The status a dialect's clients understand: Anthropic's "overloaded" is theirs alone. */
export const statusFor = (format: Format, status: number): number =>
  status === OVERLOADED && format !== 'anthropic' ? 503 : status

const OVERLOADED = 529

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

/** The upstream's own type where it is one of Anthropic's, else what the status stands for. */
function anthropicType(status: number, type: string): string {
  if (knownTypes.has(type)) return type
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

const geminiStatus = (status: number): string =>
  geminiStatuses[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
