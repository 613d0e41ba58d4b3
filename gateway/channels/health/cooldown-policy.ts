export type ChannelFailure = Readonly<{
  status: number
  /** The upstream's `Retry-After`: seconds or an HTTP date. */
  retryAfter?: string | undefined
  /** No response began. */
  transport: boolean
  /** The response broke off. */
  isCut?: boolean
  /** The upstream's message without secrets, for display. */
  message?: string
}>

/** How many failures start a cooldown, its initial and max duration in seconds, and its scope. */
type Rule = Readonly<{
  failures: number
  initialSeconds: number
  maxSeconds: number
  /** Applies to the key, since another may work; otherwise to the whole channel. */
  isKeys: boolean
  isAllModels: boolean
}>

const rules = {
  /** Too many requests; a `Retry-After` replaces the duration. */
  limited: { failures: 1, initialSeconds: 30, maxSeconds: 1800, isKeys: true, isAllModels: false },
  unauthorized: { failures: 1, initialSeconds: 30, maxSeconds: 1800, isKeys: true, isAllModels: true },
  /** The key's account may not use, or cannot pay for, this model. */
  refused: { failures: 1, initialSeconds: 30, maxSeconds: 1800, isKeys: true, isAllModels: false },
  /** No connection or no response. */
  unreachable: { failures: 2, initialSeconds: 2, maxSeconds: 60, isKeys: false, isAllModels: true },
  /** A response broke off: the caller has part of it, so another channel cannot take over. */
  cut: { failures: 1, initialSeconds: 30, maxSeconds: 600, isKeys: false, isAllModels: false },
  broken: { failures: 3, initialSeconds: 5, maxSeconds: 300, isKeys: false, isAllModels: false },
} as const satisfies Record<string, Rule>

/** Messages with which vendors (e.g. OpenRouter, xAI) reject a prompt with 403: not the key's fault. */
const FLAGGED = /\b(?:input|prompt|content|request)s?\b.{0,40}\b(?:flagged|violates?)\b|SAFETY_CHECK/i
const MAX_READ = 2048

/** Longer `Retry-After` values are capped at half an hour (docs/reference/selection.md#cooldowns). */
const MAX_RETRY_AFTER_SECONDS = 1800

/**
 * Returns the rule for a failure; undefined for caller errors and models the vendor does not have, which are not the
 * channel's fault.
 */
export function ruleOf({ status, transport, isCut, message = '' }: ChannelFailure): Rule | undefined {
  if (isCut) return rules.cut
  if (transport) return rules.unreachable
  if (status === 429) return rules.limited
  if (status === 401) return rules.unauthorized
  if (status === 402 || (status === 403 && !FLAGGED.test(message.slice(0, MAX_READ)))) return rules.refused
  return status >= 500 ? rules.broken : undefined
}

/**
 * Seconds of cooldown: doubled with each counted failure after the first, at most `maxSeconds`, then randomized by
 * ±20%; 0 before the first counted failure.
 */
export function cooldownSeconds(
  { failures: minFailures, initialSeconds, maxSeconds }: Rule,
  failures: number,
  fraction: number,
): number {
  if (failures < minFailures) return 0
  return Math.round(
    Math.min(maxSeconds, initialSeconds * 2 ** Math.min(failures - minFailures, 20)) * (0.8 + 0.4 * fraction),
  )
}

/**
 * The vendor's `Retry-After` (RFC 9110 §10.2.3) in seconds, at least 1; undefined if it is missing or invalid, or the
 * status is neither 429 nor 503.
 */
export function retryAfterSeconds({ status, retryAfter }: ChannelFailure, nowMs: number): number | undefined {
  if (retryAfter === undefined || (status !== 429 && status !== 503)) return undefined
  const seconds = /^\d{1,9}$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - nowMs) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), MAX_RETRY_AFTER_SECONDS) : undefined
}
