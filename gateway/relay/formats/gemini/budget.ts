import type { Effort } from '../conversation.ts'
import { bareModel, isThirdGeneration } from './model-name.ts'

/** The least and most tokens a model may be told to think. */
export type BudgetRange = Readonly<{ min: number; max: number }>

/** Leaves the amount to the model. */
export const DYNAMIC_BUDGET = -1

/** The first row that fits holds (docs/reference/conversion.md#thinking). */
const ranges: readonly (BudgetRange & Readonly<{ prefix: string }>)[] = [
  { prefix: 'gemini-2.5-flash-lite', min: 512, max: 24_576 },
  { prefix: 'gemini-2.5-pro', min: 128, max: 32_768 },
]
const otherwise: BudgetRange = { min: 0, max: 24_576 }

/** Previews that think as much as they please: their budget cannot be set. */
const freeThinkers = ['gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro-preview-03-25']

/** Efforts as a percentage of the model's largest budget (docs/reference/conversion.md#thinking). */
const shares: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 5,
  low: 20,
  medium: 50,
  high: 80,
  xhigh: 100,
  max: 100,
}

/** The budgets a model takes. */
export function budgetRange(model: string): BudgetRange {
  const name = bareModel(model)
  if (!takesBudget(name)) return otherwise
  return ranges.find(({ prefix }) => name.startsWith(prefix)) ?? otherwise
}

/** Whether a model may be told how many tokens to think; the two oldest previews of 2.5 Pro may not. */
export const takesBudget = (model: string): boolean =>
  !freeThinkers.some((prefix) => bareModel(model).startsWith(prefix))

/** A number of tokens as the model takes it; -1, which leaves it to the model, stays. */
export function clampBudget(model: string, tokens: number): number {
  if (tokens === DYNAMIC_BUDGET) return tokens
  const { min, max } = budgetRange(model)
  return Math.min(max, Math.max(min, Math.floor(tokens)))
}

/** The tokens an effort stands for with this model. */
export const effortBudget = (model: string, effort: Effort): number =>
  clampBudget(model, (budgetRange(model).max * shares[effort]) / 100)

/** The budget that turns thinking off; undefined for models that always think. */
export const offBudget = (model: string): number | undefined =>
  bareModel(model).startsWith('gemini-2.5-pro') ? undefined : 0

/** Whether the model takes a `thinkingLevel` rather than a budget. */
export const speaksLevels = isThirdGeneration

/** The level nearest to an effort that the model has: Pro models have no `minimal`, the first of them no `medium`. */
export function thinkingLevel(model: string, effort: Effort): 'minimal' | 'low' | 'medium' | 'high' {
  const name = bareModel(model)
  if (effort === 'none' || effort === 'minimal') return name.includes('flash') ? 'minimal' : 'low'
  if (effort === 'low') return 'low'
  if (effort === 'medium') return name.startsWith('gemini-3-pro') ? 'high' : 'medium'
  return 'high'
}

/** The effort a number of tokens comes to (docs/reference/conversion.md#thinking). */
export function effortOf(tokens: number): Effort {
  if (tokens < 4_000) return 'low'
  return tokens < 16_000 ? 'medium' : 'high'
}
