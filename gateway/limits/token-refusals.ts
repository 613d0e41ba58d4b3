import { type BudgetWindow, budgetWindows } from '../../shared/budgets.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { nested } from '../../shared/messages/format.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import type { Budget } from './budget.ts'
import type { Calendar } from './calendar.ts'

const windowNames = {
  minute: 'budget.minute',
  five_hours: 'budget.fiveHours',
  day: 'budget.day',
  week: 'budget.week',
  month: 'budget.month',
} as const satisfies Record<BudgetWindow, MessageKey>

/** A request to be checked against the budgets of its token; `show` formats a quota. */
type BudgetRequest = Readonly<{
  quota: number
  /** Quota that other nodes have reserved. */
  others: number
  now: number
  calendar: Calendar
  timeZone: string
  show: (quota: number) => string
}>

/** Seconds to retry after if the quota is only reserved: running requests usually end soon. */
const RETRY_SECONDS = 5

/**
 * Throws unless the request fits into every budget, counting reserved quota as used. Of several exceeded budgets,
 * reports the one that resets last. A request that would never fit is `exhausted` (403, since waiting does not help),
 * others are `limited`.
 */
export function checkBudgets(budgets: readonly Budget[], request: BudgetRequest): void {
  const { quota, others, now } = request
  const exceeded = budgets.filter((budget) => {
    const { used, reserved } = budget.spanAt(now)
    return used + reserved + others + quota > budget.limit
  })
  if (exceeded.length === 0) return
  const tooLow = exceeded.find(({ limit }) => quota > limit)
  if (tooLow) throw tooSmall(tooLow, request)
  const usedUpBudgets = exceeded.filter((budget) => budget.spanAt(now).used + quota > budget.limit)
  const [last] = usedUpBudgets.toSorted((one, other) => other.spanAt(now).end - one.spanAt(now).end)
  throw last ? usedUp(last, request) : reservedByOthers(exceeded, request)
}

function tooSmall({ window, limit }: Budget, { quota, show }: BudgetRequest): GatewayError {
  const params = { window: nested(windowNames[window]), limit: show(limit), need: show(quota) }
  return refuse('exhausted', 'relay.budgetTooSmall', params, { code: 'token_budget_too_small' })
}

function usedUp(budget: Budget, { quota, now, calendar, timeZone, show }: BudgetRequest): GatewayError {
  const { used, end } = budget.spanAt(now)
  const params = {
    window: nested(windowNames[budget.window]),
    left: show(Math.max(0, budget.limit - used)),
    limit: show(budget.limit),
    need: show(quota),
    reset: `${calendar.write(end)} ${timeZone || 'UTC'}`,
  }
  const extras = { code: 'token_budget_exceeded', param: budget.window, retryAfterSeconds: Math.max(1, end - now) }
  return refuse('limited', 'relay.budgetUsed', params, extras)
}

/** The budget would suffice if it were not for running requests. */
function reservedByOthers(budgets: readonly Budget[], { now }: BudgetRequest): GatewayError {
  const ends = budgets.map((budget) => budget.spanAt(now).end - now)
  const [first] = budgetWindows.filter((window) => budgets.some((budget) => budget.window === window))
  return refuse(
    'limited',
    'relay.budgetHeld',
    { window: nested(windowNames[first ?? 'day']) },
    {
      code: 'token_budget_exceeded',
      param: first ?? '',
      retryAfterSeconds: Math.max(1, Math.min(RETRY_SECONDS, ...ends)),
    },
  )
}

export const tooFast = (
  key: 'relay.tokenRequests' | 'relay.tokenTokens',
  count: number,
  waitMs: number,
): GatewayError => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return refuse('limited', key, { count, seconds }, { code: 'rate_limit_exceeded', retryAfterSeconds: seconds })
}
