import type { Effort } from './effort.ts'

/** A model's name without the vendor's folders (`models/`, `publishers/google/models/`), in lower case. */
const bareModel = (model: string): string => model.slice(model.lastIndexOf('/') + 1).toLowerCase()

/**
 * The generation in a model's name: 3 for gemini-3-pro-preview, 2.5 for gemini-2.5-flash, infinite for aliases of the
 * vendor's latest model (gemini-flash-latest); undefined for other names.
 */
function generationOf(model: string): number | undefined {
  const name = bareModel(model)
  const found = /^gemini-(\d+(?:\.\d+)?)/.exec(name)
  if (found) return Number(found[1])
  return /^gemini-[a-z-]+-latest$/.test(name) ? Number.POSITIVE_INFINITY : undefined
}

/** Whether the model is of the third generation or later, which has thinking levels and requires thought signatures. */
export const isThirdGeneration = (model: string): boolean => (generationOf(model) ?? 0) >= 3

/**
 * Whether the model generates images: the operator's list, and the vendor's naming of such models
 * (docs/reference/conversion.md#openai-to-gemini).
 */
export const drawsImages = (model: string, listed: readonly string[]): boolean =>
  listed.includes(model) || listed.includes(bareModel(model)) || /-image(-|$)/.test(bareModel(model))

export const onlySpeaks = (model: string): boolean => /-tts(-|$)/.test(bareModel(model))

/** Whether the model supports thinkingConfig; the vendor refuses it for models without thinking. */
export function canThink(model: string): boolean {
  const name = bareModel(model)
  if (name.includes('thinking')) return true
  const generation = generationOf(name) ?? 3
  return generation >= 2.5 && !onlySpeaks(name) && !(generation < 3 && /-image(-|$)/.test(name)) && !/^gemma/.test(name)
}

/**
 * Whether the model supports JSON Schema, on both of the vendor's services: from 2.5 on
 * (docs/reference/conversion.md#schemas-for-gemini).
 */
export const takesJsonSchema = (model: string): boolean => (generationOf(model) ?? 0) >= 2.5

/**
 * Whether the model supports functions together with the vendor's own tools
 * (docs/reference/conversion.md#non-function-tools).
 */
export const mixesTools = isThirdGeneration

/** Whether the model returns log probabilities: those of the first two generations. */
export const returnsLogProbabilities = (model: string): boolean => (generationOf(model) ?? 3) < 3

type BudgetRange = Readonly<{ min: number; max: number }>

/** Lets the model choose the budget. */
export const DYNAMIC_BUDGET = -1

/** The first matching row applies (docs/reference/conversion.md#thinking). */
const ranges: readonly (BudgetRange & Readonly<{ prefix: string }>)[] = [
  { prefix: 'gemini-2.5-flash-lite', min: 512, max: 24_576 },
  { prefix: 'gemini-2.5-pro', min: 128, max: 32_768 },
]
const otherwise: BudgetRange = { min: 0, max: 24_576 }

/** Previews whose thinking budget cannot be set. */
const freeThinkers = ['gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro-preview-03-25']

/** Budgets of efforts, as a percentage of the model's largest budget (docs/reference/conversion.md#thinking). */
const shares: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 5,
  low: 20,
  medium: 50,
  high: 80,
  xhigh: 100,
  max: 100,
}

export function budgetRange(model: string): BudgetRange {
  const name = bareModel(model)
  if (!takesBudget(name)) return otherwise
  return ranges.find(({ prefix }) => name.startsWith(prefix)) ?? otherwise
}

export const takesBudget = (model: string): boolean =>
  !freeThinkers.some((prefix) => bareModel(model).startsWith(prefix))

/** Limits a budget to the model's range; -1, which leaves it to the model, is unchanged. */
export function clampBudget(model: string, tokens: number): number {
  if (tokens === DYNAMIC_BUDGET) return tokens
  const { min, max } = budgetRange(model)
  return Math.min(max, Math.max(min, Math.floor(tokens)))
}

export const effortBudget = (model: string, effort: Effort): number =>
  clampBudget(model, (budgetRange(model).max * shares[effort]) / 100)

/** The budget that turns thinking off; undefined for models that always think. */
export const offBudget = (model: string): number | undefined =>
  bareModel(model).startsWith('gemini-2.5-pro') ? undefined : 0

/** Whether the model has `thinkingLevel` rather than a budget. */
export const speaksLevels = isThirdGeneration

/** The last generation whose Flash models have `minimal`: 3.7 and 3.8 refuse it ("Gemini thinking", read 2026-11). */
const LAST_MINIMAL = 3.6

/**
 * The model's level nearest to an effort: only Flash models up to `LAST_MINIMAL` have `minimal`, and the first Pro
 * model of the third generation has no `medium`.
 */
export function thinkingLevel(model: string, effort: Effort): 'minimal' | 'low' | 'medium' | 'high' {
  const name = bareModel(model)
  const hasMinimal = name.includes('flash') && (generationOf(name) ?? 0) <= LAST_MINIMAL
  if (effort === 'none' || effort === 'minimal') return hasMinimal ? 'minimal' : 'low'
  if (effort === 'low') return 'low'
  if (effort === 'medium') return name.startsWith('gemini-3-pro') ? 'high' : 'medium'
  return 'high'
}
