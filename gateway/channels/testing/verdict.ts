import type { Verdict, VerdictCode } from '../../../shared/api/verdict.ts'
import { GatewayError } from '../../base/errors.ts'
import type { UpstreamFailure } from '../health/upstream-failure.ts'

const CREDIT =
  /insufficient|billing_not_active|credit balance|out of credit|no credit|balance (is )?(too low|not enough)|exceeded your current quota|arrear|余额|欠费|额度不足/i
const KEY = /invalid[_ ]api[_ ]key|api[_ ]key (is )?(not valid|invalid|incorrect)|incorrect api key|authentication/i
const MODEL =
  /model_not_found|model_not_exist|invalid_model|deploymentnotfound|not_found_error\s+model:|\bmodels?\/\S{1,200} is not found|no such model|unknown model|model\b.{0,400}\b(not found|not exist|does not exist|unknown|not supported|invalid|no access|not have access)|模型.{0,400}(不存在|未找到)/i

/** Interprets a vendor's error for a user who has just entered a key: which of their entries is wrong. */
export function codeOf({ status, code, type, message }: UpstreamFailure): VerdictCode {
  const errorText = `${code} ${type} ${message}`
  if (status === 402 || CREDIT.test(errorText)) return 'no_credit'
  if (status === 401 || KEY.test(errorText)) return 'bad_key'
  if ([400, 403, 404, 422].includes(status) && MODEL.test(errorText)) return 'no_model'
  if (status === 403) return 'bad_key'
  if (status === 404 || status === 405 || (status >= 300 && status <= 399)) return 'bad_path'
  if (status === 429) return 'rate_limited'
  return status === 408 || status === 504 ? 'timeout' : 'failed'
}

/** Interprets a missing response; rethrows if the address must not be called at all. */
export function codeOfFault(error: unknown): VerdictCode {
  if (error instanceof GatewayError && error.kind === 'invalid') throw error
  if (error instanceof GatewayError && error.kind === 'timeout') return 'timeout'
  const name = error instanceof Error ? error.name : ''
  if (name.includes('Timeout')) return 'timeout'
  return name === 'UpstreamError' ? 'unreadable' : 'unreachable'
}

/** An HTML page instead of JSON means that the path leads to a web site. */
export const codeOfText = (text: string): VerdictCode => (/^\s*</.test(text) ? 'bad_path' : 'unreadable')

/** Builds a verdict; redacts anything secret in the vendor's message. */
export function verdictOf(code: VerdictCode, ms: number, text = '', secrets: readonly string[] = []): Verdict {
  const ok = code === 'ok' || code === 'no_list'
  return { ok, ms: Math.round(ms), code, message: withoutSecrets(text, secrets) }
}

const MIN_SECRET_LENGTH = 4
const KEYLIKE = /\b((sk|pk|key)[-_][\w*.-]{8,}|AIza[\w-]{8,})/g
const ADDRESS = /\b(https?:\/\/|\d{1,3}(\.\d{1,3}){3}(:\d+)?)\S*/g
const MAX_LENGTH = 500

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH)
  const masked = known.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text)
  return masked.replace(KEYLIKE, '***').replace(ADDRESS, '***').slice(0, MAX_LENGTH)
}
