import { isObject, objectIn, textIn } from '../../../base/json/json.ts'
import type { AnswerError } from '../provider.ts'

/**
 * Maps prefixes of the vendor's error codes to statuses; the first match counts, so longer prefixes precede shorter
 * ones (API 3.0, "Error Codes").
 */
const statuses: readonly (readonly [string, number])[] = [
  ['AuthFailure.UnauthorizedOperation', 403],
  ['AuthFailure', 401],
  ['UnauthorizedOperation', 403],
  ['FailedOperation.EngineServerLimitExceeded', 429],
  ['FailedOperation.UserUnAuthError', 403],
  ['FailedOperation.ResourcePackExhausted', 403],
  ['FailedOperation.ServiceStop', 403],
  ['RequestLimitExceeded', 429],
  ['LimitExceeded', 429],
  ['ResourceInsufficient', 429],
  ['ResourceUnavailable', 403],
  ['ResourceNotFound', 404],
  ['OperationDenied', 400],
  ['InvalidParameter', 400],
  ['MissingParameter', 400],
  ['UnknownParameter', 400],
  ['UnsupportedOperation', 400],
  ['UnsupportedRegion', 400],
  ['RequestSizeLimitExceeded', 413],
  ['InvalidAction', 404],
  ['NoSuch', 404],
]

const OTHERS = 500

/** Reads `Response.Error` of a response with status 200, or `ErrorMsg` in the middle of a stream. */
export function errorIn(json: unknown): AnswerError | undefined {
  if (!isObject(json)) return undefined
  const { Error: failed, ErrorMsg } = isObject(json.Response) ? json.Response : json
  if (isObject(failed)) return errorOf(textIn(failed.Code) ?? '', textIn(failed.Message))
  const { Code: code, Msg: message } = objectIn(ErrorMsg)
  return message || code ? errorOf(textIn(code) ?? '', textIn(message)) : undefined
}

function errorOf(code: string, message: string | undefined): AnswerError {
  const status = statuses.find(([beginning]) => code.startsWith(beginning))?.[1] ?? OTHERS
  return { status, message: message || code, type: 'tencent_error', code }
}
