/** Reasoning efforts, in ascending order. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

const rank = (effort: Effort): number => efforts.indexOf(effort)

/** A model's strongest effort up to the requested one; the weakest if all are stronger. */
export const nearestEffort = (wanted: Effort, taken: readonly Effort[]): Effort | undefined =>
  taken.findLast((effort) => rank(effort) <= rank(wanted)) ?? taken[0]

/** The effort that corresponds to a token budget (docs/reference/conversion.md#thinking). */
export function effortOfBudget(budget: number): Effort {
  if (budget < 4096) return 'low'
  return budget < 16_384 ? 'medium' : 'high'
}
