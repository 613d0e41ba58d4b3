/** Where a usage comes from: the upstream said so, a tokenizer counted it, or it is an estimate from the text's shape. */
type UsageSource = 'upstream' | 'counted' | 'estimated'

/** What a model used that the vendor asked beside the one that answers: one that draws pictures, or an advisor. */
export type SecondModelUsage = Readonly<{ calls: number; tokens: Usage }>

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
  /** Memory of the containers in which the vendor ran programs, in gigabytes. */
  containerGigabytes: number
  /** Null where the vendor asked no other model. */
  secondModel: SecondModelUsage | null
  /** What the vendor says it served the call as, where that may have a price of its own. */
  tiers: readonly string[]
  semantics: 'openai' | 'anthropic'
  source: UsageSource
}>

/**
 * A usage of which only some figures are known; all others are 0, as the upstream of OpenAI's kind said. Every figure is a
 * whole number from 0 to `MAX_TOKENS`, estimates included.
 */
export const usageOf = (known: Partial<Usage>): Usage => ({
  prompt: figureOf(known.prompt),
  completion: figureOf(known.completion),
  cacheRead: figureOf(known.cacheRead),
  cacheWrite: figureOf(known.cacheWrite),
  cacheWriteHour: figureOf(known.cacheWriteHour),
  reasoning: figureOf(known.reasoning),
  audioInput: figureOf(known.audioInput),
  imageInput: figureOf(known.imageInput),
  audioOutput: figureOf(known.audioOutput),
  webSearches: figureOf(known.webSearches),
  fileSearches: figureOf(known.fileSearches),
  containerGigabytes: known.containerGigabytes ?? 0,
  secondModel: known.secondModel ?? null,
  tiers: known.tiers ?? NO_TIERS,
  semantics: known.semantics ?? 'openai',
  source: known.source ?? 'upstream',
})

/** What is no number above 0 counts as 0. */
const figureOf = (tokens: number | undefined): number =>
  tokens !== undefined && tokens > 0 ? Math.min(Math.round(tokens), MAX_TOKENS) : 0

const NO_TIERS: readonly string[] = []

/** Names of tiers out of an answer, or a request; none for what is no name. */
export const tiersOf = (...names: readonly unknown[]): readonly string[] => {
  const found = names.filter((name) => typeof name === 'string' && TIER.test(name))
  return found.length > 0 ? (found as string[]) : NO_TIERS // those that are texts
}

const TIER = /^(?!default$|standard|auto$|on_demand$|global$|not_available$)[a-z_]{1,24}$/

/** The prompt with all that a cache holds of it. */
export const wholePrompt = ({ prompt, cacheRead, cacheWrite, semantics }: Usage): number =>
  semantics === 'anthropic' ? prompt + cacheRead + cacheWrite : prompt

/** Whether the vendor ran tools that have a price of their own. */
export const hasPricedTools = ({ webSearches, fileSearches, containerGigabytes, secondModel }: Usage): boolean =>
  webSearches + fileSearches + containerGigabytes > 0 || secondModel !== null

/**
 * The most tokens one field of a usage may claim; an upstream that says more is not believed
 * (docs/reference/security.md#money).
 */
export const MAX_TOKENS = 10_000_000

/** A field of an upstream's usage object: a whole number within bounds, else undefined (strings, fractions, negatives, lies). */
export const tokenCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : undefined

/** Searches of one answer that a vendor is believed. */
export const MAX_SEARCHES = 1000

/** A vendor's figure of searches that it ran; undefined where it gives none that can be believed. */
export function searchCount(value: unknown): number | undefined {
  const count = tokenCount(value)
  return count === undefined ? undefined : Math.min(count, MAX_SEARCHES)
}

/** The gigabytes of a container with OpenAI's `memory_limit`, which is one where nothing is said. */
export const gigabytesOf = (memoryLimit: unknown): number => GIGABYTES.get(memoryLimit) ?? 1

const GIGABYTES = new Map<unknown, number>([
  ['4g', 4],
  ['16g', 16],
  ['64g', 64],
])

/** Most output tokens of one image of OpenAI's models that are priced by tokens, by quality (OpenAI, "Image generation": cost). */
const TOKENS_BY_QUALITY = new Map<unknown, number>([
  ['low', 408],
  ['medium', 1584],
])
const MAX_IMAGE_TOKENS = 6240

/** The most output that one image of a quality has, in tokens. */
export const maxTokensOfImage = (quality: unknown): number => TOKENS_BY_QUALITY.get(quality) ?? MAX_IMAGE_TOKENS
