import type { NewToken, TokenChange } from '../../../shared/api/token.ts'
import type { TokenPatch } from '../../store/accounts/tokens.ts'
import type { TokenRow } from '../../store/schema/schema.ts'

type LimitFields = Partial<
  Pick<
    NewToken | TokenChange,
    'requests_per_minute' | 'tokens_per_minute' | 'budgets' | 'budget_time_zone' | 'budget_warn_percent'
  >
>

export function limitColumns(fields: LimitFields): TokenPatch {
  const { budgets = {} } = fields
  const columns = {
    requests_per_minute: fields.requests_per_minute,
    tokens_per_minute: fields.tokens_per_minute,
    budget_minute: budgets.minute,
    budget_five_hours: budgets.five_hours,
    budget_day: budgets.day,
    budget_week: budgets.week,
    budget_month: budgets.month,
    budget_time_zone: fields.budget_time_zone,
    budget_warn_percent: fields.budget_warn_percent,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

type BudgetColumns = Pick<
  TokenRow,
  'budget_minute' | 'budget_five_hours' | 'budget_day' | 'budget_week' | 'budget_month'
>

export function limitsShown<R extends BudgetColumns>(row: R) {
  const {
    budget_minute: minute,
    budget_five_hours: five_hours,
    budget_day: day,
    budget_week: week,
    budget_month: month,
    ...others
  } = row
  return { ...others, budgets: { minute, five_hours, day, week, month } }
}
