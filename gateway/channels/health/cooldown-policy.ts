/** An upstream's failure, as far as it decides whether a channel or key is left alone for a while. */
export type ChannelFailure = Readonly<{
  status: number
  /** The upstream's `Retry-After`: seconds or an HTTP date. */
  retryAfter?: string | undefined
  /** No answer began. */
  transport: boolean
  /** An answer broke off. */
  isCut?: boolean
  /** What the upstream said, without secrets; for people. */
  message?: string
}>

/** How many failures start a cooldown, how long it is first and at most in seconds, and what it covers. */
export type Rule = Readonly<{
  failures: number
  initialSeconds: number
  maxSeconds: number
  /** The key is at fault, and another may work; else the whole channel is. */
  isKeys: boolean
  /** All models are concerned. */
  isAllModels: boolean
}>

const rules = {
  /** Too many requests, without a word of when to come back. */
  limited: { failures: 1, initialSeconds: 30, maxSeconds: 1800, isKeys: true, isAllModels: false },
  /** The key itself is refused. */
  unauthorized: { failures: 1, initialSeconds: 30, maxSeconds: 1800, isKeys: true, isAllModels: true },
  /** The key's account may not, or cannot pay for, this model. */
  refused: { failures: 1, initialSeconds: 30, maxSeconds: 1800, isKeys: true, isAllModels: false },
  /** Nobody answers at all. */
  unreachable: { failures: 2, initialSeconds: 2, maxSeconds: 60, isKeys: false, isAllModels: true },
  /** An answer broke off: the caller has half of it, and no other channel can mend that. */
  cut: { failures: 1, initialSeconds: 30, maxSeconds: 600, isKeys: false, isAllModels: false },
  broken: { failures: 3, initialSeconds: 5, maxSeconds: 300, isKeys: false, isAllModels: false },
} as const satisfies Record<string, Rule>

/** What vendors say with 403 of a prompt that they do not take, as OpenRouter and xAI do: the key is not at fault. */
const FLAGGED = /\b(?:input|prompt|content|request)s?\b.{0,40}\b(?:flagged|violates?)\b|SAFETY_CHECK/i
const MAX_READ = 2048

/** However long a vendor asks for, it is tried again after half an hour (docs/reference/selection.md#cooldowns). */
const MAX_RETRY_AFTER_SECONDS = 1800

/** The rule for a failure; none for what the caller did wrong, or the vendor does not have: that says nothing of the channel. */
export function ruleOf({ status, transport, isCut, message = '' }: ChannelFailure): Rule | undefined {
  if (isCut) return rules.cut
  if (transport) return rules.unreachable
  if (status === 429) return rules.limited
  if (status === 401) return rules.unauthorized
  if (status === 402 || (status === 403 && !FLAGGED.test(message.slice(0, MAX_READ)))) return rules.refused
  return status >= 500 ? rules.broken : undefined
}

/** Seconds of cooldown: twice as long with every failure beyond the first that counts, spread by a fifth to either side; 0 before that. */
export function cooldownSeconds(
  { failures: needed, initialSeconds, maxSeconds }: Rule,
  failures: number,
  fraction: number,
): number {
  if (failures < needed) return 0
  return Math.round(
    Math.min(maxSeconds, initialSeconds * 2 ** Math.min(failures - needed, 20)) * (0.8 + 0.4 * fraction),
  )
}

/** How long the vendor asks to wait (RFC 9110 §10.2.3), in seconds; undefined where it does not say. */
export function retryAfterSeconds({ status, retryAfter }: ChannelFailure, nowMs: number): number | undefined {
  if (retryAfter === undefined || (status !== 429 && status !== 503)) return undefined
  const seconds = /^\d{1,9}$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - nowMs) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), MAX_RETRY_AFTER_SECONDS) : undefined
}
