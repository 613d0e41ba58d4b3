import * as z from 'zod/mini'
import { MAX_CHARGE } from './api/fields.ts'
import type { LogView } from './api/log.ts'
import { type Decimal, decimal, plus, rounded, times, written } from './decimal.ts'
import { parsed } from './json.ts'
import { priceOfRatio } from './pricing.ts'

/** Kinds of tokens; each is a line with its own ratio. `cacheWrite` lasts five minutes, `cacheWriteHour` an hour. */
export type LineKind =
  | 'prompt'
  | 'cacheRead'
  | 'cacheWrite'
  | 'cacheWriteHour'
  | 'image'
  | 'textInput'
  | 'audioInput'
  | 'completion'
  | 'audioOutput'

/** Tokens × ratio = weighted; the product is exact, as decimal text. */
type TokenLine = Readonly<{ kind: LineKind; tokens: number; ratio: number; weighted: string }>

/**
 * Items priced separately in US dollars, `price` for every `per`: calls of a tool run by the upstream, or audio
 * tokens with a separate price. `quota` is exact, before rounding.
 */
export type ToolLine = Readonly<{
  kind: 'webSearch' | 'fileSearch' | 'codeContainer' | 'audioInput'
  calls: number
  price: number
  per: 1000 | 1_000_000
  quota: string
}>

/** The cost of a second model called by the vendor: per image or response, or by its tokens. */
type SecondModelLine = Readonly<{
  model: string
  calls: number
  /** US dollars per call; null if charged by tokens. */
  fixed: number | null
  lines: readonly TokenLine[]
  modelRatio: number
  quota: string
}>

/**
 * The computation of one charge, step by step (docs/reference/billing.md#charge,
 * docs/reference/billing.md#receipts). Decimal texts are exact.
 */
export type Receipt = Readonly<{
  /** US dollars for this call; null if charged by tokens, which are in `lines`. */
  fixed: number | null
  /**
   * The factors of `fixed`: the price of one call and a multiplier, 1 except for images
   * (docs/reference/billing.md#images).
   */
  unitPrice: number | null
  times: number
  lines: readonly TokenLine[]
  /** The sum of the weighted lines. */
  weighted: string
  tools: readonly ToolLine[]
  secondModel: SecondModelLine | null
  modelRatio: number
  completionRatio: number
  groupRatio: number
  /** The prompt length of the price step, and the service tier with its factor; the ratios include both. */
  step: number | null
  tier: Readonly<{ name: string; ratio: number }> | null
  /** Whether the group ratio is an override for users of the caller's own group. */
  isExclusive: boolean
  /** The share of the price that a cached response costs; null for others. */
  hitRatio: number | null
  /** Quota per US dollar. */
  quotaPerUnit: number
  /** The result in quota, before rounding. */
  exact: string
  /** The charge: `exact` rounded once, half up; at least 1 if `exact` is positive or tokens with a price were used. */
  charge: number
}>

/** The log fields a receipt is computed from. */
export type Charged = Pick<LogView, 'prompt_tokens' | 'completion_tokens' | 'other'>

/**
 * An exact charge in whole quota, rounded once: at least 1 for a positive amount or if it `isDue`, at most
 * `MAX_CHARGE`.
 */
export const wholeCharge = (exact: Decimal, isDue: boolean): number =>
  exact.digits > 0n || isDue ? Math.min(Math.max(rounded(exact), 1), MAX_CHARGE) : 0

/** Recomputes a charge from its log row; undefined if the row has no price, as for failures and top-ups. */
export function receiptOf(row: Charged): Receipt | undefined {
  const facts = factsOf(row.other)
  if (!facts || (facts.model_ratio === undefined && facts.model_price < 0)) return undefined
  const fixed = facts.model_price < 0 ? null : facts.model_price
  const modelRatio = facts.model_ratio ?? 0
  const { group_ratio: groupRatio, quota_per_unit: quotaPerUnit } = facts
  const lines = fixed === null ? linesOf(row, facts) : []
  const weighted = total(lines.map(({ tokens, factors }) => product(tokens, ...factors)))
  const isPaid = fixed !== null || row.prompt_tokens + row.completion_tokens + cacheOf(facts) > 0
  const tools = isPaid ? toolsOf(facts) : []
  const costs = tools.map(({ calls, price, per }) => product(calls, price, 1 / per, quotaPerUnit, groupRatio))
  const second = isPaid ? facts.second_model : undefined
  const otherCost = second ? costOf(second, facts) : NOTHING
  const base = fixed === null ? times(weighted, product(modelRatio, groupRatio)) : callOf(facts)
  const hitRatio = facts.cache_hit ? facts.cache_hit_ratio : null
  const exact = times(total([base, ...costs, otherCost]), decimal(hitRatio ?? 1))
  const isDue = fixed === null && isPaid && modelRatio > 0 && groupRatio > 0 && hitRatio !== 0
  return {
    fixed,
    unitPrice: fixed === null ? null : (facts.model_unit_price ?? fixed),
    times: facts.price_times,
    lines: lines.map(shown),
    weighted: written(weighted),
    tools: tools.map((tool, index) => ({ ...tool, quota: written(costs[index] ?? NOTHING) })),
    secondModel: second ? secondModelLine(second, otherCost) : null,
    modelRatio,
    completionRatio: facts.completion_ratio,
    groupRatio,
    isExclusive: facts.user_group_ratio >= 0,
    step: facts.price_step ?? null,
    tier: facts.service_tier === '' ? null : { name: facts.service_tier, ratio: facts.service_tier_ratio },
    hitRatio,
    quotaPerUnit,
    exact: written(exact),
    charge: wholeCharge(exact, isDue),
  }
}

/** US dollars per million tokens of this ratio, before the group ratio. */
export const pricePerMillion = ({ modelRatio, quotaPerUnit }: Receipt, ratio: number): number =>
  priceOfRatio(modelRatio, quotaPerUnit, ratio)

const amount = z.number().check(z.nonnegative())
const count = z.catch(amount, 0)
const ratio = z.catch(amount, 1)
/** A value that a row may lack; it is then negative. */
const ifAny = z.catch(z.number(), -1)

/** The use of a second model (docs/reference/billing.md#receipts). */
const second = z.object({
  model: z.string(),
  calls: count,
  prompt_tokens: count,
  cache_tokens: count,
  cache_creation_tokens: count,
  cache_creation_tokens_1h: count,
  image_tokens: count,
  completion_tokens: count,
  model_price: ifAny,
  model_ratio: ratio,
  cache_ratio: ratio,
  cache_creation_ratio: ratio,
  cache_creation_ratio_1h: ratio,
  image_ratio: ratio,
  completion_ratio: ratio,
})
type Second = z.output<typeof second>

const pricing = z.object({
  model_ratio: z.catch(z.optional(amount), undefined),
  model_price: ifAny,
  model_unit_price: z.catch(z.optional(amount), undefined),
  price_times: ratio,
  completion_ratio: ratio,
  group_ratio: ratio,
  user_group_ratio: ifAny,
  quota_per_unit: z.catch(z.number().check(z.positive()), 500_000),
  usage_semantics: z.catch(z.string(), ''),
  claude: z.catch(z.boolean(), false),
  cache_tokens: count,
  cache_ratio: ratio,
  cache_creation_tokens: count,
  cache_creation_ratio: ratio,
  cache_creation_tokens_1h: count,
  cache_creation_ratio_1h: ratio,
  image: z.catch(z.boolean(), false),
  image_ratio: ratio,
  image_output: count,
  audio: z.catch(z.boolean(), false),
  ws: z.catch(z.boolean(), false),
  text_input: count,
  text_output: count,
  audio_input: count,
  audio_output: count,
  audio_ratio: ratio,
  audio_completion_ratio: ratio,
  web_search_call_count: count,
  web_search_price: count,
  file_search_call_count: count,
  file_search_price: count,
  code_interpreter_call_count: count,
  code_interpreter_price: count,
  second_model: z.catch(z.optional(second), undefined),
  audio_input_token_count: count,
  audio_input_price: count,
  price_step: z.catch(z.optional(amount), undefined),
  service_tier: z.catch(z.string(), ''),
  service_tier_ratio: ratio,
  cache_hit: z.catch(z.boolean(), false),
  cache_hit_ratio: ratio,
})
type Facts = z.output<typeof pricing>

/**
 * The price data in a row's `other`; undefined if that is not a JSON object. Rows of other types may contain other
 * data.
 */
const factsOf = (other: string): Facts | undefined => pricing.safeParse(parsed(other)).data

/** A line before formatting: the factors of its ratio. */
type Part = Readonly<{ kind: LineKind; tokens: number; factors: readonly number[] }>

const shown = ({ kind, tokens, factors }: Part): TokenLine => ({
  kind,
  tokens,
  ratio: Number(written(product(...factors))),
  weighted: written(product(tokens, ...factors)),
})

const cacheOf = ({ cache_tokens, cache_creation_tokens }: Facts): number => cache_tokens + cache_creation_tokens

/** Omits lines without tokens, except for the prompt and the completion. */
function linesOf({ prompt_tokens, completion_tokens }: Charged, facts: Facts): Part[] {
  const hasAudio = facts.audio || facts.ws
  const isApart = facts.claude || facts.usage_semantics === 'anthropic'
  const images = facts.image ? facts.image_output : 0
  const textInput = hasAudio ? facts.text_input : prompt_tokens - facts.audio_input_token_count
  const plain = Math.max(textInput - images - (isApart ? 0 : cacheOf(facts)), 0)
  const hour = Math.min(facts.cache_creation_tokens_1h, facts.cache_creation_tokens)
  const textOutput = hasAudio ? facts.text_output : completion_tokens
  const moreParts: Part[] = [
    { kind: 'cacheRead', tokens: facts.cache_tokens, factors: [facts.cache_ratio] },
    { kind: 'cacheWrite', tokens: facts.cache_creation_tokens - hour, factors: [facts.cache_creation_ratio] },
    { kind: 'cacheWriteHour', tokens: hour, factors: [facts.cache_creation_ratio_1h] },
    { kind: 'image', tokens: images, factors: [facts.image_ratio] },
    { kind: 'audioInput', tokens: hasAudio ? facts.audio_input : 0, factors: [facts.audio_ratio] },
  ]
  const { audio_ratio, audio_completion_ratio } = facts
  const speech: Part[] = [
    { kind: 'audioOutput', tokens: hasAudio ? facts.audio_output : 0, factors: [audio_ratio, audio_completion_ratio] },
  ]
  return [
    { kind: hasAudio ? 'textInput' : 'prompt', tokens: plain, factors: [1] },
    ...moreParts.filter(({ tokens }) => tokens > 0),
    { kind: 'completion', tokens: textOutput, factors: [facts.completion_ratio] },
    ...speech.filter(({ tokens }) => tokens > 0),
  ]
}

/** The cost of a call in quota, by the factors of its price; rows of other software have only their product. */
function callOf(facts: Facts): Decimal {
  const { model_price, model_unit_price, price_times, quota_per_unit, group_ratio } = facts
  const dollars = model_unit_price === undefined ? [model_price] : [model_unit_price, price_times]
  return product(...dollars, quota_per_unit, group_ratio)
}

/** The items priced separately. A price per call includes audio, but no tools. */
function toolsOf(facts: Facts): Omit<ToolLine, 'quota'>[] {
  const apart = facts.model_price < 0 ? facts.audio_input_token_count : 0
  const tools = [
    { kind: 'webSearch', calls: facts.web_search_call_count, price: facts.web_search_price, per: 1000 },
    { kind: 'fileSearch', calls: facts.file_search_call_count, price: facts.file_search_price, per: 1000 },
    {
      kind: 'codeContainer',
      calls: facts.code_interpreter_call_count,
      price: facts.code_interpreter_price,
      per: 1000,
    },
    { kind: 'audioInput', calls: apart, price: facts.audio_input_price, per: 1_000_000 },
  ] as const
  return tools.filter(({ calls }) => calls > 0)
}

/** The cost of a second model in quota, with the group ratio of the call. */
function costOf(second: Second, { group_ratio, quota_per_unit }: Facts): Decimal {
  if (second.model_price >= 0) return product(second.calls, second.model_price, quota_per_unit, group_ratio)
  const weighted = total(partsOf(second).map(({ tokens, factors }) => product(tokens, ...factors)))
  return times(weighted, product(second.model_ratio, group_ratio))
}

function partsOf(second: Second): Part[] {
  const parts: Part[] = [
    { kind: 'prompt', tokens: second.prompt_tokens, factors: [1] },
    { kind: 'cacheRead', tokens: second.cache_tokens, factors: [second.cache_ratio] },
    { kind: 'cacheWrite', tokens: second.cache_creation_tokens, factors: [second.cache_creation_ratio] },
    { kind: 'cacheWriteHour', tokens: second.cache_creation_tokens_1h, factors: [second.cache_creation_ratio_1h] },
    { kind: 'image', tokens: second.image_tokens, factors: [second.image_ratio] },
    { kind: 'completion', tokens: second.completion_tokens, factors: [second.completion_ratio] },
  ]
  return parts.filter(({ tokens }) => tokens > 0)
}

const secondModelLine = (second: Second, quota: Decimal): SecondModelLine => ({
  model: second.model,
  calls: second.calls,
  fixed: second.model_price < 0 ? null : second.model_price,
  lines: second.model_price < 0 ? partsOf(second).map(shown) : [],
  modelRatio: second.model_ratio,
  quota: written(quota),
})

const NOTHING: Decimal = { digits: 0n, scale: 0 }

const product = (...factors: readonly number[]): Decimal => factors.map(decimal).reduce(times)

const total = (terms: readonly Decimal[]): Decimal => terms.reduce(plus, NOTHING)
