const BYTES_PER_SECOND = 16_000
const TOKENS_PER_MINUTE = 1000

/** The longest a recording counts, in seconds. */
export const MAX_SECONDS = 24 * 3600

/** Seconds of a recording of which only the size is known, in bytes (docs/reference/tokens.md#recordings). */
export const bySize = (bytes: number): number => Math.min(MAX_SECONDS, bytes / BYTES_PER_SECOND)

/**
 * What speech recognition is billed by the minute: a thousand tokens for each, over whole seconds
 * (docs/reference/tokens.md#recordings).
 */
export const whisperTokens = (seconds: number): number => Math.round((Math.ceil(seconds) / 60) * TOKENS_PER_MINUTE)
