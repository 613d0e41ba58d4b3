/**
 * What an upstream said when it refused: the parts the rules of docs/reference/selection.md#should-disable-rule look
 * at. Absent parts are empty.
 */
export type UpstreamFailure = Readonly<{ status: number; code: string; type: string; message: string }>

/** More than anybody is shown: whoever shows it takes keys out first, of which none may be cut here. */
const MAX_LENGTH = 4000

/**
 * Reads a refusal out of an answer: any status that is not 2xx, or a body that carries an `error`; undefined when the
 * upstream answered properly. Knows the error bodies of docs/reference/errors.md#upstream-errors.
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
  const said = body.error ?? (refused ? body : undefined)
  if (!refused && (said === undefined || said === null)) return undefined
  const error = typeof said === 'object' ? fieldsOf(said) : {}
  const message = [error.message, said, body.message, body.msg, body.detail].find((part) => typeof part === 'string')
  return {
    status,
    code: textOf(error.code ?? body.code),
    type: textOf(error.type ?? body.type),
    message: textOf(message ?? text).slice(0, MAX_LENGTH),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function fieldsOf(value: unknown): Record<string, unknown> {
  // Any JSON object has string keys; what they hold is checked where it is read.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
