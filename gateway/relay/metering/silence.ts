/** Assumed speed of hidden reasoning (docs/reference/billing.md#disconnected-callers). */
const TOKENS_PER_SECOND = 50
export const MIN_SILENCE_MS = 1000

/** The reasoning, in tokens, that a model may have done in a silence; none in less than a second. */
export const reasoningIn = (silentMs: number): number => Math.floor(silentMs / MIN_SILENCE_MS) * TOKENS_PER_SECOND
