/** How much a model is to think, the least first. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

const rank = (effort: Effort): number => efforts.indexOf(effort)

/** The strongest of a model's efforts that is no stronger than the wanted one; where all are stronger, the weakest. */
export const nearestEffort = (wanted: Effort, taken: readonly Effort[]): Effort | undefined =>
  taken.findLast((effort) => rank(effort) <= rank(wanted)) ?? taken[0]

/** The effort that a budget in tokens amounts to (docs/reference/conversion.md#thinking). */
export function effortOfBudget(budget: number): Effort {
  if (budget < 4096) return 'low'
  return budget < 16_384 ? 'medium' : 'high'
}
