import type { BudgetWindow } from '../../shared/budgets.ts'
import type { Budget, Span } from './budget.ts'

/** A budget of a token that is used up: its limit in quota, and when it begins again, in unix seconds. */
export type ReachedBudget = Readonly<{ window: BudgetWindow; limit: number; resetsAt: number }>

/** A budget of which less than this part is used has not come to its end because somebody wants much at once. */
const MIN_USED_SHARE = 0.5

/**
 * Looks whether budgets are used up, and tells of each once while its window lasts. `least` is what a request was refused for
 * wanting: where nothing is charged any more, that is how a budget ends. One of a minute is over before anybody reads of it.
 */
export function createReachedBudgets(onUsed: (reached: ReachedBudget) => void) {
  const told = new Map<BudgetWindow, Span>()
  return (budgets: readonly Budget[], now: number, min = 1): void => {
    for (const budget of budgets) {
      const { window, limit } = budget
      const span = budget.spanAt(now)
      const { used, end } = span
      if (window === 'minute' || min > limit || used + min <= limit || told.get(window) === span) continue
      if (used < limit * MIN_USED_SHARE) continue
      told.set(window, span)
      onUsed({ window, limit, resetsAt: end })
    }
  }
}
