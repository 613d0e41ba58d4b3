import { reportsOverflow } from './overflow-wordings.ts'

/**
 * Vendor errors that callers can act on: the prompt is too long (`context`), the channel's account has no credit left
 * (`quota`), a rate limit (`limited`), the vendor is at capacity (`overloaded`) (docs/reference/errors.md#kinds).
 */
export type ErrorKind = 'context' | 'quota' | 'limited' | 'overloaded'

type KindFacts = Readonly<{ status: number; type: string; code: string; message: string }>

export function errorKind({ status, type, code, message }: KindFacts): ErrorKind | undefined {
  const isOneOf = (words: ReadonlySet<string>) => words.has(code) || words.has(type)
  if (status === 402 || isOneOf(quotaWords) || QUOTA.test(message.slice(0, MAX_READ))) return 'quota'
  if (isOneOf(overloadWords)) return 'overloaded'
  if (status === 429 || isOneOf(limitWords)) return 'limited'
  if (status === 401 || status === 403) return undefined
  if (status === 413 || reportsOverflow(type, code, message)) return 'context'
  return status === 503 || status === 529 ? 'overloaded' : undefined
}

/** Whether a word is a vendor's name for a kind other than `context`, including words that OpenAI's clients know. */
export const isForeignWord = (word: string): boolean =>
  quotaWords.has(word) || limitWords.has(word) || overloadWords.has(word)

/**
 * The status for an error of a kind: `status` if it already shows the kind, or without a kind; else one that shows the
 * kind.
 */
export function statusOfKind(kind: ErrorKind | undefined, status: number): number {
  if (kind === 'context') return status === 413 ? status : 400
  if (kind === 'limited') return 429
  if (kind === 'quota') return status >= 400 && status < 500 ? status : 429
  return kind === 'overloaded' && status !== 529 && status !== 429 ? 503 : status
}

const MAX_READ = 2048

/**
 * Codes and types of an account without credit: OpenAI's ("Error codes"), Anthropic's ("Errors"), Moonshot's,
 * Alibaba's, Volcengine's, Zhipu's ("Error codes"), and new-api's.
 */
const quotaWords: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'pre_consume_token_quota_failed',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'project_spend_limit_exceeded',
  'billing_hard_limit_reached',
  'billing_not_active',
  'billing_error',
  'exceeded_current_quota_error',
  'Arrearage',
  'AccountOverdueError',
  '1113',
])

/**
 * Messages about an account without credit, from vendors whose code and status do not show it: Anthropic, DeepSeek,
 * Google's prepaid credit, xAI.
 */
const QUOTA =
  /credit balance is too low|insufficient balance|prepayment credits are depleted|(?:used all|ran out of|exhausted).{0,20} credits/i

/** Codes and types of a temporary limit, of OpenAI, Anthropic, Google, AWS and Alibaba. */
const limitWords: ReadonlySet<string> = new Set([
  'rate_limit_exceeded',
  'rate_limit_error',
  'rate_limit_reached_error',
  'RESOURCE_EXHAUSTED',
  'ThrottlingException',
  'throttlingException',
  'Throttling',
  'Throttling.RateQuota',
  'Throttling.AllocationQuota',
])

/** Codes and types of a vendor at capacity, of OpenAI, Anthropic, Google, AWS and Moonshot. */
const overloadWords: ReadonlySet<string> = new Set([
  'server_is_overloaded',
  'slow_down',
  'service_unavailable_error',
  'overloaded_error',
  'engine_overloaded_error',
  'UNAVAILABLE',
  'ServiceUnavailableException',
  'serviceUnavailableException',
])
