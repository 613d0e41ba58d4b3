/** Windows of token budgets; each resets automatically, in the budget's time zone. */
export const budgetWindows = ['minute', 'five_hours', 'day', 'week', 'month'] as const
export type BudgetWindow = (typeof budgetWindows)[number]

/** Default percentage of a budget from which callers are warned. */
export const USUAL_WARN_PERCENT = 80

/**
 * Whether a name is an IANA time zone known to this machine; empty is UTC. A bare offset such as +02:00 is not
 * accepted, because it has no daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (name === '') return true
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
