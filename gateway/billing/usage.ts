/** Where a usage comes from: the upstream said so, a tokenizer counted it, or it is an estimate from the text's shape. */
export type UsageSource = 'upstream' | 'counted' | 'estimated'

/**
 * What one request used, in tokens. With `openai` semantics the prompt includes what was read from and written to a
 * cache; with `anthropic` semantics it does not (docs/reference/conversion.md#usage).
 */
export type Usage = Readonly<{
  prompt: number
  completion: number
  cacheRead: number
  cacheWrite: number
  /** Part of `cacheWrite`: kept for an hour rather than for five minutes. */
  cacheWriteHour: number
  /** Part of the completion. */
  reasoning: number
  /** Parts of the prompt. */
  audioInput: number
  imageInput: number
  /** Part of the completion. */
  audioOutput: number
  /** Calls of tools that the vendor ran itself. */
  webSearches: number
  fileSearches: number
  semantics: 'openai' | 'anthropic'
  source: UsageSource
}>

/** A usage of which only some figures are known; all others are 0, as the upstream of OpenAI's kind said. */
export const usageOf = (known: Partial<Usage>): Usage => ({
  prompt: known.prompt ?? 0,
  completion: known.completion ?? 0,
  cacheRead: known.cacheRead ?? 0,
  cacheWrite: known.cacheWrite ?? 0,
  cacheWriteHour: known.cacheWriteHour ?? 0,
  reasoning: known.reasoning ?? 0,
  audioInput: known.audioInput ?? 0,
  imageInput: known.imageInput ?? 0,
  audioOutput: known.audioOutput ?? 0,
  webSearches: known.webSearches ?? 0,
  fileSearches: known.fileSearches ?? 0,
  semantics: known.semantics ?? 'openai',
  source: known.source ?? 'upstream',
})

/**
 * The most tokens one field of a usage may claim; an upstream that says more is not believed
 * (docs/reference/security.md#money).
 */
export const MAX_TOKENS = 10_000_000

/** A field of an upstream's usage object: a whole number within bounds, else undefined (strings, fractions, negatives, lies). */
export const tokenCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : undefined
