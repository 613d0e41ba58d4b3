import type { ModelTraits } from '../../capabilities/claude-models.ts'
import { type Effort, effortOfBudget } from '../../capabilities/effort.ts'
import type { Json } from '../codec.ts'
import type { Reasoning } from '../conversation.ts'

/** Min thinking budget that the vendor accepts, in tokens. */
export const MIN_BUDGET = 1024

/** Min `max_tokens` of a request that thinks with a budget (docs/reference/conversion.md#thinking). */
export const MIN_MAX_TOKENS = 1280

/**
 * Computes a budget as a share (0.1 to 1) of `max_tokens`, which is raised if it is too small for thinking
 * (docs/reference/conversion.md#thinking).
 */
export function sharedBudget(maxTokens: number, share: number): Readonly<{ maxTokens: number; budget: number }> {
  const raised = Math.max(maxTokens, MIN_MAX_TOKENS)
  const budget = Math.floor(raised * share)
  return { maxTokens: raised, budget: Math.min(Math.max(budget, MIN_BUDGET), raised - 1) }
}

/** The share of a model's max output reserved for the answer if a budget would take all of it. */
const ANSWER_SHARE = 1 / 4

/**
 * Fits a budget: raises it to the vendor's minimum, and raises `max_tokens` above it, up to the model's max output.
 * Beyond that, the budget is reduced.
 */
export function fittedBudget(
  budget: number,
  maxTokens: number,
  maxLength = Number.POSITIVE_INFINITY,
): Readonly<{ maxTokens: number; budget: number }> {
  const requested = Math.max(Math.floor(budget), MIN_BUDGET)
  const raised = maxTokens > requested ? maxTokens : requested + maxTokens
  if (raised <= maxLength) return { budget: requested, maxTokens: raised }
  const answer = Math.min(maxTokens, Math.floor(maxLength * ANSWER_SHARE))
  return { budget: Math.max(Math.min(requested, maxLength - answer), MIN_BUDGET), maxTokens: maxLength }
}

/** The budget of each effort, in tokens; above `high`, each is twice the previous one. */
const BUDGETS: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: MIN_BUDGET,
  low: 1280,
  medium: 2048,
  high: 4096,
  xhigh: 8192,
  max: 16_384,
}

/** Returns the budget of an effort in tokens (docs/reference/conversion.md#thinking); 0 for `none`. */
export const budgetOfEffort = (effort: Effort): number => (effort === 'none' ? 0 : BUDGETS[effort])

/** A request's thinking settings. `budget` requires a fitting `max_tokens`. */
export type Thinking = Readonly<{
  type?: 'adaptive' | 'enabled' | 'disabled' | undefined
  budget?: number | undefined
  effort?: string | undefined
  display?: 'summarized' | 'omitted' | undefined
}>

/**
 * Returns the settings for the thinking that is requested: adaptive with an effort if the model supports it, else a
 * budget. `native` requests stay unchanged as far as the model supports them. Undefined if thinking is requested and
 * the model cannot think.
 */
export function thinkingFor(reasoning: Reasoning, traits: ModelTraits, native: boolean): Thinking | undefined {
  const { mode, effort, budget } = reasoning
  const nativeEffort = native ? effortFor(effort, traits) : undefined
  const isOff = asksForNone(reasoning)
  if (isOff && !native && traits.known && traits.thinks === 'always') return { type: 'adaptive', effort: 'low' }
  const canBeOff = native || traits.adaptive || traits.thinks === 'unless-off'
  if (isOff) return { ...(canBeOff ? { type: 'disabled' } : {}), effort: nativeEffort }
  if (!isWanted(reasoning, native)) return { effort: nativeEffort }
  if (traits.thinks === 'never') return undefined
  const requested = budget !== undefined && budget > 0 ? budget : undefined
  const adapts = traits.adaptive || (native && mode === 'adaptive' && !traits.known)
  if (adapts && (requested === undefined || mode === 'adaptive' || !traits.budgets)) {
    const amounts = effort ?? (requested === undefined ? undefined : effortOfBudget(requested))
    return { type: 'adaptive', effort: effortFor(amounts, traits), display: displayOf(reasoning, traits, native) }
  }
  const tokens = requested ?? budgetOfEffort(effort ?? 'medium')
  const min = native ? tokens : Math.max(Math.floor(tokens), MIN_BUDGET)
  return { type: 'enabled', budget: min, effort: nativeEffort, display: displayOf(reasoning, traits, native) }
}

export const asksForNone = ({ mode, effort, budget }: Reasoning): boolean =>
  mode === 'off' || effort === 'none' || budget === 0

export function thinkingOut({ type, budget, display }: Thinking): Json | undefined {
  if (type === undefined) return undefined
  return { type, ...(type === 'enabled' ? { budget_tokens: budget } : {}), ...(display ? { display } : {}) }
}

/** Whether thinking is requested; an effort does not imply it in Anthropic's own dialect. */
const isWanted = ({ mode, effort, budget, show, summary }: Reasoning, native: boolean): boolean =>
  mode !== undefined ||
  budget !== undefined ||
  show === true ||
  summary !== undefined ||
  (effort !== undefined && !native)

function effortFor(effort: Effort | undefined, traits: ModelTraits): string | undefined {
  if (effort === undefined || effort === 'none') return undefined
  if (effort === 'minimal') return 'low'
  return effort === 'xhigh' && !traits.xhigh ? 'high' : effort
}

/** Newer models omit their thinking unless it is requested. */
function displayOf({ show }: Reasoning, traits: ModelTraits, native: boolean): Thinking['display'] {
  if (show === false) return native || traits.adaptive ? 'omitted' : undefined
  if (native) return show ? 'summarized' : undefined
  return traits.budgets ? undefined : 'summarized'
}
