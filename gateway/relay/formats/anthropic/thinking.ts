import type { ModelTraits } from '../../capabilities/claude-models.ts'
import { type Effort, effortOfBudget } from '../../capabilities/effort.ts'
import type { Json } from '../codec.ts'
import type { Reasoning } from '../conversation.ts'

/** The least budget the vendor takes, in tokens. */
export const MIN_BUDGET = 1024

/** The least `max_tokens` of a request that thinks with a budget (docs/reference/conversion.md#thinking). */
const MIN_MAX_TOKENS = 1280

/**
 * A budget as a share (0.1 to 1) of `max_tokens`, which is raised where it leaves too little to think
 * (docs/reference/conversion.md#thinking).
 */
export function sharedBudget(maxTokens: number, share: number): Readonly<{ maxTokens: number; budget: number }> {
  const raised = Math.max(maxTokens, MIN_MAX_TOKENS)
  const budget = Math.floor(raised * share)
  return { maxTokens: raised, budget: Math.min(Math.max(budget, MIN_BUDGET), raised - 1) }
}

/** What is kept for the answer of a model's longest output, where a budget would take all of it. */
const ANSWER_SHARE = 1 / 4

/**
 * Makes a budget fit: it is at least the vendor's least, and `max_tokens` is raised by it where it does not lie above it,
 * to the model's longest output at most. Of what is beyond that the budget gives way.
 */
export function fittedBudget(
  budget: number,
  maxTokens: number,
  longest = Number.POSITIVE_INFINITY,
): Readonly<{ maxTokens: number; budget: number }> {
  const asked = Math.max(Math.floor(budget), MIN_BUDGET)
  const raised = maxTokens > asked ? maxTokens : asked + maxTokens
  if (raised <= longest) return { budget: asked, maxTokens: raised }
  const answer = Math.min(maxTokens, Math.floor(longest * ANSWER_SHARE))
  return { budget: Math.max(Math.min(asked, longest - answer), MIN_BUDGET), maxTokens: longest }
}

/** In tokens. Minimal is the least, and beyond high each doubles. */
const BUDGETS: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: MIN_BUDGET,
  low: 1280,
  medium: 2048,
  high: 4096,
  xhigh: 8192,
  max: 16_384,
}

/** The budget of an effort, in tokens (docs/reference/conversion.md#thinking); `none` has none. */
export const budgetOfEffort = (effort: Effort): number => (effort === 'none' ? 0 : BUDGETS[effort])

/** What a request says of thinking. `budget` asks for a fitting `max_tokens`. */
export type Thinking = Readonly<{
  type?: 'adaptive' | 'enabled' | 'disabled' | undefined
  budget?: number | undefined
  effort?: string | undefined
  display?: 'summarized' | 'omitted' | undefined
}>

/**
 * How a model is told what a request wants of its thinking: adaptive with an effort where it takes that, else a budget.
 * `native` requests keep what they say as long as the model takes it. Undefined where the model cannot think though it should.
 */
export function thinkingFor(reasoning: Reasoning, traits: ModelTraits, native: boolean): Thinking | undefined {
  const { mode, effort, budget } = reasoning
  const said = native ? effortFor(effort, traits) : undefined
  const isOff = asksForNone(reasoning)
  if (isOff && !native && traits.known && traits.thinks === 'always') return { type: 'adaptive', effort: 'low' }
  const canBeOff = native || traits.adaptive || traits.thinks === 'unless-off'
  if (isOff) return { ...(canBeOff ? { type: 'disabled' } : {}), effort: said }
  if (!isWanted(reasoning, native)) return { effort: said }
  if (traits.thinks === 'never') return undefined
  const asked = budget !== undefined && budget > 0 ? budget : undefined
  const adapts = traits.adaptive || (native && mode === 'adaptive' && !traits.known)
  if (adapts && (asked === undefined || mode === 'adaptive' || !traits.budgets)) {
    const amounts = effort ?? (asked === undefined ? undefined : effortOfBudget(asked))
    return { type: 'adaptive', effort: effortFor(amounts, traits), display: displayOf(reasoning, traits, native) }
  }
  const tokens = asked ?? budgetOfEffort(effort ?? 'medium')
  const min = native ? tokens : Math.max(Math.floor(tokens), MIN_BUDGET)
  return { type: 'enabled', budget: min, effort: said, display: displayOf(reasoning, traits, native) }
}

/** Whether a request asks the model not to think. */
export const asksForNone = ({ mode, effort, budget }: Reasoning): boolean =>
  mode === 'off' || effort === 'none' || budget === 0

/** The object of the wire's `thinking`, where there is one. */
export function thinkingOut({ type, budget, display }: Thinking): Json | undefined {
  if (type === undefined) return undefined
  return { type, ...(type === 'enabled' ? { budget_tokens: budget } : {}), ...(display ? { display } : {}) }
}

/** Whether the request asks for thoughts at all: Anthropic's own effort alone does not. */
const isWanted = ({ mode, effort, budget, show, summary }: Reasoning, native: boolean): boolean =>
  mode !== undefined ||
  budget !== undefined ||
  show === true ||
  summary !== undefined ||
  (effort !== undefined && !native)

/** The effort in words the model knows: the nearest of them. */
function effortFor(effort: Effort | undefined, traits: ModelTraits): string | undefined {
  if (effort === undefined || effort === 'none') return undefined
  if (effort === 'minimal') return 'low'
  return effort === 'xhigh' && !traits.xhigh ? 'high' : effort
}

/** The newer models keep their thoughts to themselves unless they are told not to. */
function displayOf({ show }: Reasoning, traits: ModelTraits, native: boolean): Thinking['display'] {
  if (show === false) return native || traits.adaptive ? 'omitted' : undefined
  if (native) return show ? 'summarized' : undefined
  return traits.budgets ? undefined : 'summarized'
}
