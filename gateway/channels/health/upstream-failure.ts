/** The parts of an upstream's error that docs/reference/selection.md#should-disable-rule evaluates; empty if absent. */
export type UpstreamFailure = Readonly<{ status: number; code: string; type: string; message: string }>

/**
 * Max characters of a message, more than are ever shown: callers redact keys before they shorten the message, so a key
 * must not be cut here.
 */
const MAX_LENGTH = 4000

/**
 * Extracts an error from a response: any non-2xx status, or a body with an `error`; undefined if the response is fine.
 * Knows the error bodies of docs/reference/errors.md#upstream-errors.
 */
export function failureIn({
  status,
  json,
  text,
}: {
  status: number
  json: unknown
  text: string
}): UpstreamFailure | undefined {
  const body = fieldsOf(json)
  const refused = status < 200 || status > 299
  const errorValue = body.error ?? (refused ? body : undefined)
  if (!refused && (errorValue === undefined || errorValue === null)) return undefined
  const error = typeof errorValue === 'object' ? fieldsOf(errorValue) : {}
  const message = [error.message, errorValue, body.message, body.msg, body.detail].find(
    (part) => typeof part === 'string',
  )
  return {
    status,
    code: textOf(error.code ?? body.code),
    type: textOf(error.type ?? body.type),
    message: textOf(message ?? text).slice(0, MAX_LENGTH),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
