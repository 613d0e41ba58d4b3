const BYTES_PER_SECOND = 16_000
const TOKENS_PER_MINUTE = 1000

export const MAX_SECONDS = 24 * 3600

/** Estimates the seconds of a recording by its size in bytes (docs/reference/tokens.md#recordings). */
export const bySize = (bytes: number): number => Math.min(MAX_SECONDS, bytes / BYTES_PER_SECOND)

/**
 * Returns the tokens of speech recognition billed by the minute: a thousand per minute, over whole seconds
 * (docs/reference/tokens.md#recordings).
 */
export const whisperTokens = (seconds: number): number => Math.round((Math.ceil(seconds) / 60) * TOKENS_PER_MINUTE)
