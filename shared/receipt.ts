import { z } from 'zod'
import type { LogView } from './api/log.ts'
import { type Decimal, decimal, plus, rounded, times } from './decimal.ts'

/** What a line counts: tokens of one kind, each weighted by a ratio of its own. */
export type LineKind =
  | 'prompt'
  | 'cacheRead'
  | 'cacheWrite'
  | 'image'
  | 'textInput'
  | 'audioInput'
  | 'completion'
  | 'audioOutput'

/** Tokens × ratio = weighted; the product is exact, as decimal text. */
export type TokenLine = Readonly<{ kind: LineKind; tokens: number; ratio: number; weighted: string }>

/** Calls of a tool the upstream ran, at US dollars a thousand; `quota` is exact, before rounding. */
export type ToolLine = Readonly<{ kind: 'webSearch' | 'fileSearch'; calls: number; price: number; quota: string }>

/** The computation of one charge, step by step (spec/relay.md §6.3, spec/console.md §8.19). Decimal texts are exact. */
export type Receipt = Readonly<{
  /** US dollars a call; null where tokens are what is paid for, and `lines` holds them. */
  fixed: number | null
  lines: readonly TokenLine[]
  /** The sum of the weighted lines. */
  weighted: string
  tools: readonly ToolLine[]
  modelRatio: number
  completionRatio: number
  groupRatio: number
  /** The group ratio is one that was agreed for the caller's own group. */
  isExclusive: boolean
  /** Quota for one US dollar. */
  quotaPerUnit: number
  /** What it comes to in quota, before rounding. */
  exact: string
  /** The same as charged: rounded once, halves up; at least 1 where it is not nothing. */
  charge: number
}>

/** What the receipt of a request is read from. */
export type Charged = Pick<LogView, 'prompt_tokens' | 'completion_tokens' | 'other'>

/** Computes a charge again from its log row; undefined where the row has no price, as failures and top-ups have none. */
export function receiptOf(row: Charged): Receipt | undefined {
  const facts = factsOf(row.other)
  if (!facts || (facts.model_ratio === undefined && facts.model_price < 0)) return undefined
  const fixed = facts.model_price < 0 ? null : facts.model_price
  const modelRatio = facts.model_ratio ?? 0
  const lines = fixed === null ? linesOf(row, facts) : []
  const weighted = total(lines.map(({ tokens, ratio }) => product(tokens, ratio)))
  const { group_ratio: groupRatio, quota_per_unit: quotaPerUnit } = facts
  const base = fixed === null ? product(modelRatio, groupRatio) : product(fixed, quotaPerUnit, groupRatio)
  const tools = toolsOf(facts)
  const costs = tools.map(({ calls, price }) => product(calls, price, 0.001, quotaPerUnit, groupRatio))
  const exact = total([fixed === null ? times(weighted, base) : base, ...costs])
  return {
    fixed,
    lines,
    weighted: written(weighted),
    tools: tools.map((tool, index) => ({ ...tool, quota: written(costs[index] ?? NOTHING) })),
    modelRatio,
    completionRatio: facts.completion_ratio,
    groupRatio,
    isExclusive: facts.user_group_ratio >= 0,
    quotaPerUnit,
    exact: written(exact),
    charge: exact.digits > 0n ? Math.max(rounded(exact), 1) : 0,
  }
}

/** What a million tokens of this ratio cost in US dollars, before the group's ratio. */
export const pricePerMillion = ({ modelRatio, quotaPerUnit }: Receipt, ratio: number): number =>
  (modelRatio * ratio * 1_000_000) / quotaPerUnit

const count = z.number().nonnegative().catch(0)
const ratio = z.number().nonnegative().catch(1)
/** Below 0 stands for none. */
const ifAny = z.number().catch(-1)

const pricing = z.object({
  model_ratio: z.number().nonnegative().optional().catch(undefined),
  model_price: ifAny,
  completion_ratio: ratio,
  group_ratio: ratio,
  user_group_ratio: ifAny,
  quota_per_unit: z.number().positive().catch(500_000),
  usage_semantics: z.string().catch(''),
  claude: z.boolean().catch(false),
  cache_tokens: count,
  cache_ratio: ratio,
  cache_creation_tokens: count,
  cache_creation_ratio: ratio,
  image: z.boolean().catch(false),
  image_ratio: ratio,
  image_output: count,
  audio: z.boolean().catch(false),
  ws: z.boolean().catch(false),
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
})
type Facts = z.output<typeof pricing>

/** Rows of other kinds hold other things, or nothing. */
function factsOf(other: string): Facts | undefined {
  try {
    return pricing.safeParse(JSON.parse(other)).data
  } catch {
    return undefined
  }
}

const line = (kind: LineKind, tokens: number, ratio: number): TokenLine => ({
  kind,
  tokens,
  ratio,
  weighted: written(product(tokens, ratio)),
})

/** Lines of no tokens are left out, but for the prompt and the completion. */
function linesOf({ prompt_tokens, completion_tokens }: Charged, facts: Facts): TokenLine[] {
  if (facts.audio || facts.ws) return audioLines(facts)
  const isApart = facts.claude || facts.usage_semantics === 'anthropic'
  const inside = isApart ? 0 : facts.cache_tokens + facts.cache_creation_tokens
  const images = facts.image ? facts.image_output : 0
  return [
    line('prompt', Math.max(prompt_tokens - inside - images, 0), 1),
    ...(facts.cache_tokens > 0 ? [line('cacheRead', facts.cache_tokens, facts.cache_ratio)] : []),
    ...(facts.cache_creation_tokens > 0
      ? [line('cacheWrite', facts.cache_creation_tokens, facts.cache_creation_ratio)]
      : []),
    ...(images > 0 ? [line('image', images, facts.image_ratio)] : []),
    line('completion', completion_tokens, facts.completion_ratio),
  ]
}

function audioLines(facts: Facts): TokenLine[] {
  const spoken = Number(written(product(facts.audio_ratio, facts.audio_completion_ratio)))
  return [
    line('textInput', facts.text_input, 1),
    line('audioInput', facts.audio_input, facts.audio_ratio),
    line('completion', facts.text_output, facts.completion_ratio),
    line('audioOutput', facts.audio_output, spoken),
  ]
}

function toolsOf(facts: Facts): Omit<ToolLine, 'quota'>[] {
  const tools = [
    { kind: 'webSearch', calls: facts.web_search_call_count, price: facts.web_search_price },
    { kind: 'fileSearch', calls: facts.file_search_call_count, price: facts.file_search_price },
  ] as const
  return tools.filter(({ calls }) => calls > 0)
}

const NOTHING: Decimal = { digits: 0n, scale: 0 }

const product = (...factors: readonly number[]): Decimal => factors.map(decimal).reduce(times)

const total = (terms: readonly Decimal[]): Decimal => terms.reduce(plus, NOTHING)

/** Without an exponent and without zeros that say nothing. */
function written({ digits, scale }: Decimal): string {
  const text = digits.toString().padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
