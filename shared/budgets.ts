/** The windows a token can have a budget for; each begins again by itself, in the budget's time zone. */
export const budgetWindows = ['minute', 'five_hours', 'day', 'week', 'month'] as const
export type BudgetWindow = (typeof budgetWindows)[number]

/** From this share of a budget on, in percent, its token is warned unless told otherwise. */
export const USUAL_WARN_PERCENT = 80

/**
 * Whether a name is one of the time zones of the IANA database, as this machine knows them; empty stands for UTC. A bare
 * offset such as +02:00 is none: it knows no daylight saving time.
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
