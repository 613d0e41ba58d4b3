/** Where a usage comes from: the upstream said so, a tokenizer counted it, or it is an estimate from the text's shape. */
export type UsageSource = 'upstream' | 'counted' | 'estimated'

/**
 * What one request used, in tokens. With `openai` semantics the prompt includes what was read from and written to a
 * cache; with `anthropic` semantics it does not (spec/relay.md §3.8).
 */
export type Usage = Readonly<{
  prompt: number
  completion: number
  cacheRead: number
  cacheWrite: number
  /** Part of the completion. */
  reasoning: number
  semantics: 'openai' | 'anthropic'
  source: UsageSource
}>

/** The most tokens one field of a usage may claim; an upstream that says more is not believed (reliability-security.md §4.2). */
export const MOST_TOKENS = 10_000_000

/** A field of an upstream's usage object: a whole number within bounds, else undefined (strings, fractions, negatives, lies). */
export const tokenCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS ? value : undefined
