import { type BudgetWindow, budgetWindows } from '../../shared/budgets.ts'
import type { LimitColumn } from '../store/accounts/callers.ts'
import type { TokenRow } from '../store/schema/schema.ts'

/** The limits of one API token in addition to its quota; 0 means unlimited. */
export type TokenLimits = Readonly<{
  requestsPerMinute: number
  tokensPerMinute: number
  /** In quota units. */
  budgets: Readonly<Record<BudgetWindow, number>>
  /** An IANA name; empty is UTC. */
  timeZone: string
  /** The percentage of a budget from which responses carry a warning; 0 is never. */
  warnPercent: number
}>

const budgetColumns = {
  minute: 'budget_minute',
  five_hours: 'budget_five_hours',
  day: 'budget_day',
  week: 'budget_week',
  month: 'budget_month',
} as const satisfies Record<BudgetWindow, keyof TokenRow>

/** Returns the limits in a row; null if there are none, as for most tokens. */
export function limitsIn(row: Pick<TokenRow, LimitColumn>): TokenLimits | null {
  const isLimited =
    row.requests_per_minute > 0 ||
    row.tokens_per_minute > 0 ||
    budgetWindows.some((window) => row[budgetColumns[window]] > 0)
  if (!isLimited) return null
  return {
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    budgets: {
      minute: row.budget_minute,
      five_hours: row.budget_five_hours,
      day: row.budget_day,
      week: row.budget_week,
      month: row.budget_month,
    },
    timeZone: row.budget_time_zone,
    warnPercent: row.budget_warn_percent,
  }
}

export const areSame = (one: TokenLimits, other: TokenLimits): boolean =>
  one.requestsPerMinute === other.requestsPerMinute &&
  one.tokensPerMinute === other.tokensPerMinute &&
  one.timeZone === other.timeZone &&
  one.warnPercent === other.warnPercent &&
  budgetWindows.every((window) => one.budgets[window] === other.budgets[window])
