import type { BudgetWindow } from '../../shared/budgets.ts'
import type { Budget } from './budget.ts'

/** A budget of a token that is used up: its limit in quota, and when it begins anew, in unix seconds. */
export type ReachedBudget = Readonly<{ window: BudgetWindow; limit: number; resetsAt: number }>

/**
 * Looks whether budgets are used up, and tells of each once while its window lasts. `least` is what a request was refused for
 * wanting: where nothing is charged any more, that is how a budget ends. One of a minute is over before anybody reads of it.
 */
export function createReachedBudgets(tell: (reached: ReachedBudget) => void) {
  const told = new Map<BudgetWindow, number>()
  return (budgets: readonly Budget[], now: number, least = 1): void => {
    for (const budget of budgets) {
      const { window, limit } = budget
      const { used, start, end } = budget.spanAt(now)
      if (window === 'minute' || least > limit || used + least <= limit || told.get(window) === start) continue
      told.set(window, start)
      tell({ window, limit, resetsAt: end })
    }
  }
}
