import { isObject, objectIn, parsed, textIn } from '../../../base/json/json.ts'
import type { AnswerError } from '../provider.ts'

/**
 * Bedrock's exceptions (API reference, InvokeModel "Errors"): their statuses, and their types in Anthropic's dialect.
 */
const exceptions: Readonly<Record<string, Readonly<{ status: number; type: string }>>> = {
  validationexception: { status: 400, type: 'invalid_request_error' },
  servicequotaexceededexception: { status: 429, type: 'rate_limit_error' },
  accessdeniedexception: { status: 403, type: 'permission_error' },
  unrecognizedclientexception: { status: 403, type: 'authentication_error' },
  invalidsignatureexception: { status: 403, type: 'authentication_error' },
  expiredtokenexception: { status: 403, type: 'authentication_error' },
  resourcenotfoundexception: { status: 404, type: 'not_found_error' },
  modeltimeoutexception: { status: 408, type: 'timeout_error' },
  modelerrorexception: { status: 424, type: 'api_error' },
  modelstreamerrorexception: { status: 424, type: 'api_error' },
  throttlingexception: { status: 429, type: 'rate_limit_error' },
  modelnotreadyexception: { status: 429, type: 'rate_limit_error' },
  internalserverexception: { status: 500, type: 'api_error' },
  serviceunavailableexception: { status: 503, type: 'overloaded_error' },
}

type BedrockError = Readonly<{
  type: 'error'
  error: Readonly<{ type: string; message: string; code: string }>
}>

/** Converts an exception, given its name, possibly with a namespace prefix and a URL suffix, and its JSON payload. */
export function bedrockError(name: string, payload: string): BedrockError {
  const json = objectIn(parsed(payload))
  const code = name.replace(/:.*/s, '').replace(/^.*#/, '')
  const message = (textIn(json.message) ?? textIn(json.Message) ?? code).replace(ARN, '***')
  return { type: 'error', error: { type: exceptions[code.toLowerCase()]?.type ?? 'api_error', message, code } }
}

/** AWS includes accounts and users in its messages. */
const ARN = /\barn:aws[\w-]*:\S+/g

export const statusOf = (code: string): number | undefined => exceptions[code.toLowerCase()]?.status

export function errorIn(json: unknown): AnswerError | undefined {
  if (!isObject(json) || json.type !== 'error') return undefined
  const { type, message, code } = objectIn(json.error)
  const name = textIn(code) ?? ''
  return {
    status: statusOf(name) ?? 502,
    message: textIn(message) ?? name,
    type: textIn(type) ?? 'api_error',
    code: name,
  }
}
