import { type BudgetWindow, budgetWindows } from '../../shared/budgets.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { nested } from '../../shared/messages/format.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import type { Budget } from './budget.ts'
import type { Calendar } from './calendar.ts'

/** The name of each window in a sentence. */
const windowNames = {
  minute: 'budget.minute',
  five_hours: 'budget.fiveHours',
  day: 'budget.day',
  week: 'budget.week',
  month: 'budget.month',
} as const satisfies Record<BudgetWindow, MessageKey>

/** What a request asks of the budgets of its token; `show` writes an amount of quota for people. */
type BudgetAsk = Readonly<{
  quota: number
  now: number
  calendar: Calendar
  timeZone: string
  show: (quota: number) => string
}>

/** A request set aside by others is given back when they end, which is soon as a rule. */
const SOON = 5

/**
 * Throws unless the request fits into what is left of every budget, what is set aside for others counted as used: of
 * those it does not fit into, told of the one that begins again last. One that would never fit is `exhausted` (403, for
 * it is of no use to wait), all others are `limited`.
 */
export function checkBudgets(budgets: readonly Budget[], ask: BudgetAsk): void {
  const { quota, now } = ask
  const short = budgets.filter((budget) => {
    const { used, held } = budget.spanAt(now)
    return used + held + quota > budget.limit
  })
  if (short.length === 0) return
  const small = short.find(({ limit }) => quota > limit)
  if (small) throw tooSmall(small, ask)
  const spent = short.filter((budget) => budget.spanAt(now).used + quota > budget.limit)
  const [last] = spent.toSorted((one, other) => other.spanAt(now).end - one.spanAt(now).end)
  throw last ? usedUp(last, ask) : setAside(short, ask)
}

function tooSmall({ window, limit }: Budget, { quota, show }: BudgetAsk): GatewayError {
  const params = { window: nested(windowNames[window]), limit: show(limit), need: show(quota) }
  return refuse('exhausted', 'relay.budgetTooSmall', params, { code: 'token_budget_too_small' })
}

function usedUp(budget: Budget, { quota, now, calendar, timeZone, show }: BudgetAsk): GatewayError {
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

/** There would be room, were it not for what is running. */
function setAside(budgets: readonly Budget[], { now }: BudgetAsk): GatewayError {
  const ends = budgets.map((budget) => budget.spanAt(now).end - now)
  const [first] = budgetWindows.filter((window) => budgets.some((budget) => budget.window === window))
  return refuse(
    'limited',
    'relay.budgetHeld',
    { window: nested(windowNames[first ?? 'day']) },
    {
      code: 'token_budget_exceeded',
      param: first ?? '',
      retryAfterSeconds: Math.max(1, Math.min(SOON, ...ends)),
    },
  )
}

/** Too many requests, or too many tokens, in a minute. */
export const tooFast = (
  key: 'relay.tokenRequests' | 'relay.tokenTokens',
  count: number,
  waitMs: number,
): GatewayError => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return refuse('limited', key, { count, seconds }, { code: 'rate_limit_exceeded', retryAfterSeconds: seconds })
}
