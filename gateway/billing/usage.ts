/** The source of a usage: reported by the upstream, counted by a tokenizer, or estimated from the text. */
type UsageSource = 'upstream' | 'counted' | 'estimated'

/** The usage of a second model the vendor called: one that generates images, or an advisor. */
export type SecondModelUsage = Readonly<{ calls: number; tokens: Usage }>

/**
 * The usage of one request, in tokens. With `openai` semantics the prompt includes tokens read from and written to a
 * cache; with `anthropic` semantics it does not (docs/reference/conversion.md#usage).
 */
export type Usage = Readonly<{
  prompt: number
  completion: number
  cacheRead: number
  cacheWrite: number
  /** Part of `cacheWrite`: cached for an hour rather than for five minutes. */
  cacheWriteHour: number
  /** Part of the completion. */
  reasoning: number
  /** Parts of the prompt. */
  audioInput: number
  imageInput: number
  /** Part of the completion. */
  audioOutput: number
  /** Calls of tools run by the vendor. */
  webSearches: number
  fileSearches: number
  /** Memory of the containers in which the vendor ran code, in gigabytes. */
  containerGigabytes: number
  /** Null if the vendor called no other model. */
  secondModel: SecondModelUsage | null
  /** The tiers the vendor reports for the call, if they may have their own price. */
  tiers: readonly string[]
  semantics: 'openai' | 'anthropic'
  source: UsageSource
  /** Of several calls: the longest prompt, with its cached tokens. */
  longestPrompt?: number
}>

/**
 * Fills in a partial usage; missing figures are 0, semantics `openai`, source `upstream`. Every token figure is a whole
 * number from 0 to `MAX_TOKENS`, including estimates.
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

/** Anything but a number above 0 counts as 0. */
const figureOf = (tokens: number | undefined): number =>
  tokens !== undefined && tokens > 0 ? Math.min(Math.round(tokens), MAX_TOKENS) : 0

const NO_TIERS: readonly string[] = []

/** Extracts tier names from a response or a request; ignores values that are not tier names. */
export const tiersOf = (...names: readonly unknown[]): readonly string[] => {
  const found = names.filter((name) => typeof name === 'string' && TIER.test(name))
  return found.length > 0 ? (found as string[]) : NO_TIERS // those that are strings
}

const TIER = /^(?!default$|standard|auto$|on_demand$|global$|not_available$)[a-z_]{1,24}$/

/** The prompt tokens including cached ones. */
const wholePrompt = ({ prompt, cacheRead, cacheWrite, semantics }: Usage): number =>
  semantics === 'anthropic' ? prompt + cacheRead + cacheWrite : prompt

/** What a vendor's own tools have used, other than tokens of the response. */
export type ToolUsage = Pick<Usage, 'webSearches' | 'fileSearches' | 'containerGigabytes' | 'secondModel'>

export const hasPricedTools = ({ webSearches, fileSearches, containerGigabytes, secondModel }: Usage): boolean =>
  webSearches + fileSearches + containerGigabytes > 0 || secondModel !== null

/** Max tokens a field of a usage may claim; larger upstream figures are rejected (docs/reference/security.md#money). */
export const MAX_TOKENS = 10_000_000

/** Parses a field of an upstream's usage: a whole number within bounds, else undefined. */
export const tokenCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : undefined

/** The figures that an upstream reports of its output, none of them checked. */
type OutputFigures = Readonly<{ prompt: number | undefined; output: unknown; reasoning: unknown; total: unknown }>

/**
 * The completion with its reasoning (docs/reference/conversion.md#usage): as reported, but at least the total without
 * the prompt. Some vendors leave reasoning out of the output, and some leave the tokens `ofCache` out of the prompt; the
 * total includes both. Undefined if the output is invalid, or missing without a total.
 */
export function completionIn({ prompt, output, reasoning, total }: OutputFigures, ofCache = 0): number | undefined {
  const beyond = prompt !== undefined && typeof total === 'number' ? tokenCount(total - prompt) : undefined
  if (output === undefined || output === null) return beyond
  const reported = tokenCount(output)
  if (reported === undefined) return undefined
  const thought = tokenCount(reasoning) ?? 0
  const whole = thought > reported ? reported + thought : reported
  return beyond === undefined || beyond - reported === ofCache ? whole : Math.max(whole, beyond)
}

/** Max searches of one response that are charged. */
export const MAX_SEARCHES = 1000

/** The number of searches the vendor reports, capped; undefined if missing or invalid. */
export function searchCount(value: unknown): number | undefined {
  const count = tokenCount(value)
  return count === undefined ? undefined : Math.min(count, MAX_SEARCHES)
}

/** The gigabytes of a container with OpenAI's `memory_limit`; default 1. */
export const gigabytesOf = (memoryLimit: unknown): number => GIGABYTES.get(memoryLimit) ?? 1

const GIGABYTES = new Map<unknown, number>([
  ['4g', 4],
  ['16g', 16],
  ['64g', 64],
])

/** Max output tokens of one image of OpenAI's token-priced models, by quality (OpenAI, "Image generation": cost). */
const TOKENS_BY_QUALITY = new Map<unknown, number>([
  ['low', 408],
  ['medium', 1584],
])
const MAX_IMAGE_TOKENS = 6240

export const maxTokensOfImage = (quality: unknown): number => TOKENS_BY_QUALITY.get(quality) ?? MAX_IMAGE_TOKENS

/** The prompt that decides the price step (docs/reference/billing.md#long-prompts): the longest one of several calls. */
export const stepPrompt = (usage: Usage): number => usage.longestPrompt ?? wholePrompt(usage)

/** The usage with a prompt that includes cached tokens. */
const inclusive = (usage: Usage): Usage => ({ ...usage, prompt: wholePrompt(usage), semantics: 'openai' })

/**
 * Adds the usages of two calls. The source is the less certain of the two; tiers are those of `one`, and so is the
 * second model unless only `other` has one.
 */
export function sumOf(one: Usage, other: Usage): Usage {
  if (one.semantics !== other.semantics) return sumOf(inclusive(one), inclusive(other))
  return {
    longestPrompt: Math.max(stepPrompt(one), stepPrompt(other)),
    tiers: one.tiers,
    prompt: one.prompt + other.prompt,
    completion: one.completion + other.completion,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    cacheWriteHour: one.cacheWriteHour + other.cacheWriteHour,
    reasoning: one.reasoning + other.reasoning,
    audioInput: one.audioInput + other.audioInput,
    imageInput: one.imageInput + other.imageInput,
    audioOutput: one.audioOutput + other.audioOutput,
    webSearches: one.webSearches + other.webSearches,
    fileSearches: one.fileSearches + other.fileSearches,
    containerGigabytes: one.containerGigabytes + other.containerGigabytes,
    secondModel: one.secondModel ?? other.secondModel,
    semantics: one.semantics,
    source: sources.find((source) => source === one.source || source === other.source) ?? one.source,
  }
}

/** The least certain first. */
const sources = ['estimated', 'counted', 'upstream'] as const
