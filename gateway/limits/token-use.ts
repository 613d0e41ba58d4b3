import type { BudgetUse } from '../../shared/api/token.ts'
import { type BudgetWindow, budgetWindows } from '../../shared/budgets.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { shareOfNode } from '../shared-state/rates.ts'
import type { SharedBudgets } from '../shared-state/shared-budgets.ts'
import type { SharedCounts } from '../shared-state/shared-counts.ts'
import type { TokenCharges } from '../store/ledger/token-charges.ts'
import { type Budget, type BudgetReservation, createBudget, remainingIn, type Span, setAside } from './budget.ts'
import { calendarOf } from './calendar.ts'
import { type SharedBudgetUse, sharedBudgetUse } from './shared-budget-use.ts'
import { type SlidingSum, slidingSum } from './sliding-sum.ts'
import type { TokenLimits } from './token-limits.ts'
import { checkBudgets, tooFast } from './token-refusals.ts'

/** A charge of the token, as in its ledger row: `at` is when the request arrived, in unix seconds. */
export type Spent = Readonly<{ requestId: string; at: number; quota: number; tokens: number }>

export interface TokenUse {
  readonly limits: TokenLimits
  readonly rates: Readonly<{ requests: SlidingSum; tokens: SlidingSum }>
  /** Whether the usage of the budgets must be read: it is unknown, as after the clock was set back. */
  readonly needsPreparing: boolean
  prepare(): Promise<void>
  /** Counts a request; throws `limited` if there were too many requests or tokens in the last minute. */
  admit(): MaybePromise<void>
  /** The quota a new request may still spend within every budget. */
  remaining(): number
  /** Reserves quota in every budget; throws `limited` or `exhausted` if `min` does not fit. */
  reserve(quota: number, min: number): BudgetReservation
  /** Takes the place of `reserve` if other nodes reserve in the same budgets: reserves `quota`, or the rest. */
  readonly claim?: (quota: number, min: number) => Promise<BudgetReservation>
  spend(spent: Spent): void
  /** The value of `X-Switchyard-Budget`: the budgets whose usage has reached the warning threshold. */
  warning(): string | undefined
  report(): BudgetUse[]
}

export type TokenUseDeps = Readonly<{
  clock: Clock
  charges: TokenCharges
  /** Resolves once everything charged so far is readable. */
  flush: () => Promise<void>
  show: (quota: number) => string
  /** The number of nodes that charge tokens, including this one. */
  livingNodes: () => number
  counts: SharedCounts
  /** Undefined if only this process reserves. */
  budgets?: SharedBudgets | undefined
  /** The budgets in use that other nodes share, by token. */
  active?: Map<number, SharedBudgetUse>
  /** Called once per window when a budget is used up. */
  onReached?: (tokenId: number, reached: ReachedBudget) => void
}>

const MINUTE_MS = 60_000

/** If the limits of a token change, its `rates` are carried over. Budgets reject nothing before the usage is known. */
export function createTokenUse(
  deps: TokenUseDeps,
  tokenId: number,
  limits: TokenLimits,
  rates: TokenUse['rates'] = { requests: slidingSum(), tokens: slidingSum() },
): TokenUse {
  const { clock, show, counts } = deps
  const { timeZone, requestsPerMinute, tokensPerMinute, warnPercent } = limits
  const calendar = calendarOf(timeZone)
  const budgets = budgetsOf(limits, calendar)
  const reportUsedUp = createReachedBudgets((reached) => deps.onReached?.(tokenId, reached))
  const checkFits = (min: number, others: number) => {
    const now = unixSeconds(clock)
    reportUsedUp(budgets, now, Math.max(1, min))
    checkBudgets(budgets, { quota: min, others, now, calendar, timeZone, show })
  }
  const onCharged = () => reportUsedUp(budgets, unixSeconds(clock))
  const shared = sharedUse(deps, tokenId, { budgets, check: checkFits, onCharged })
  const usage = shared ?? createUsage(deps, tokenId, budgets)
  const { isReady } = usage
  const ofRequests = { key: `token requests ${tokenId}`, limit: requestsPerMinute, windowMs: MINUTE_MS, amount: 1 }
  const ofTokens = { key: `token tokens ${tokenId}`, limit: tokensPerMinute, windowMs: MINUTE_MS, amount: 0 }
  const rules = [ofRequests, ofTokens].filter(({ limit }) => limit > 0)
  const use: TokenUse = {
    limits,
    rates,
    get needsPreparing() {
      return usage.needsReading()
    },
    prepare: usage.read,
    admit() {
      const admitHere = (): void => {
        const now = clock.monotonic()
        const limitOf = (limit: number) => shareOfNode(limit, deps.livingNodes())
        if (requestsPerMinute > 0) check('relay.tokenRequests', rates.requests, now, limitOf(requestsPerMinute))
        if (tokensPerMinute > 0) check('relay.tokenTokens', rates.tokens, now, limitOf(tokensPerMinute))
        if (requestsPerMinute > 0) rates.requests.add(now, 1, MINUTE_MS)
      }
      if (rules.length === 0 || !counts.isUp) return admitHere()
      return counts.take(rules).then((result) => {
        if (!result) return admitHere()
        if (!result.isAllowed) {
          const { rule, waitMs } = result
          throw tooFast(rule === ofTokens ? 'relay.tokenTokens' : 'relay.tokenRequests', rule.limit, waitMs)
        }
        if (requestsPerMinute > 0) rates.requests.add(clock.monotonic(), 1, MINUTE_MS)
      })
    },
    remaining() {
      const now = unixSeconds(clock)
      return isReady() ? remainingIn(budgets.map((budget) => budget.spanAt(now))) : Number.POSITIVE_INFINITY
    },
    reserve(quota, min) {
      if (quota > 0 && isReady()) checkFits(min, 0)
      const now = unixSeconds(clock)
      const spans = isReady() ? budgets.map((budget) => budget.spanAt(now)) : []
      setAside(spans, quota)
      return { quota, remaining: () => remainingIn(spans), change: (more) => setAside(spans, more) }
    },
    ...(shared ? { claim: (quota: number, min: number) => shared.claim(quota, min) } : {}),
    spend(spent) {
      if (tokensPerMinute > 0) {
        rates.tokens.add(clock.monotonic(), spent.tokens, MINUTE_MS)
        counts.add({ ...ofTokens, amount: spent.tokens })
      }
      if (usage.charge(spent)) onCharged()
    },
    warning() {
      const now = unixSeconds(clock)
      const warned = budgets.filter((budget) => isWarned(budget, now, warnPercent))
      if (warned.length === 0) return undefined
      return warned.map((budget) => `${budget.window};used=${percentOf(budget, now)}`).join(', ')
    },
    report() {
      const now = unixSeconds(clock)
      return budgets.map((budget) => reported(budget, now, warnPercent))
    },
  }
  return use
}

/** The budgets of a token that other nodes charge too; undefined without budgets or such nodes. */
function sharedUse(
  { budgets: shared, clock, charges, active = new Map() }: TokenUseDeps,
  tokenId: number,
  rules: Parameters<typeof sharedBudgetUse>[1],
): SharedBudgetUse | undefined {
  if (!shared || rules.budgets.length === 0) return undefined
  return sharedBudgetUse({ shared, clock, charges, tokenId, active }, rules)
}

/** Reads the usage of budgets from the ledger, and adds the charges of this node to it. */
function createUsage({ clock, charges, flush }: TokenUseDeps, tokenId: number, budgets: readonly Budget[]) {
  const pending: Spent[] = []
  let reading: Promise<void> | undefined
  let isKnown = budgets.length === 0
  const isReady = () => isKnown && areKnown(budgets, clock)
  const needsReading = () => !isReady()
  const readAll = async () => {
    isKnown = isReady()
    await flush()
    const now = unixSeconds(clock)
    const upTo = await charges.newest()
    const changes: (() => void)[] = []
    // Sequential, so that other work runs between two daily sums.
    for (const budget of budgets) changes.push(await budget.read(now, { charges, tokenId, upTo }))
    // A charge made meanwhile may be in the rows already read.
    const missed: Spent[] = []
    for (let spent = pending.shift(); spent; spent = pending.shift())
      if (((await charges.rowOf(spent.requestId)) ?? Infinity) > upTo) missed.push(spent)
    for (const change of changes) change()
    isKnown = true
    for (const spent of missed) charge(budgets, unixSeconds(clock), spent)
  }
  return {
    isReady,
    needsReading,
    /** Rejects if the usage is unknown afterwards; known usage remains if it cannot be read again. */
    read(): Promise<void> {
      if (!needsReading()) return Promise.resolve()
      reading ??= readAll()
        .catch((error: unknown) => {
          if (!isReady()) throw error
        })
        .finally(() => {
          reading = undefined
        })
      return reading
    },
    /** Returns false if the charge counts only once the usage is known. */
    charge(spent: Spent): boolean {
      if (reading || !isReady()) pending.push(spent)
      if (isReady()) charge(budgets, unixSeconds(clock), spent)
      return isReady()
    },
  }
}

function areKnown(budgets: readonly Budget[], clock: Clock): boolean {
  const now = unixSeconds(clock)
  return budgets.every((budget) => budget.isKnownAt(now))
}

function budgetsOf({ budgets }: TokenLimits, calendar: ReturnType<typeof calendarOf>): Budget[] {
  const set = budgetWindows.filter((window) => budgets[window] > 0)
  return set.map((window) => createBudget(window, budgets[window], calendar))
}

function charge(budgets: readonly Budget[], now: number, { at, quota }: Spent): void {
  for (const budget of budgets) {
    budget.spanAt(now)
    budget.charge(at, quota)
  }
}

function check(key: Parameters<typeof tooFast>[0], sum: SlidingSum, now: number, limit: number): void {
  if (sum.within(now, MINUTE_MS) >= limit) throw tooFast(key, limit, sum.wait(now, MINUTE_MS, limit))
}

const percentOf = (budget: Budget, now: number): number => Math.floor((budget.spanAt(now).used * 100) / budget.limit)

const isWarned = (budget: Budget, now: number, warnPercent: number): boolean =>
  warnPercent > 0 && percentOf(budget, now) >= warnPercent

function reported(budget: Budget, now: number, warnPercent: number): BudgetUse {
  const { used, end } = budget.spanAt(now)
  return {
    window: budget.window,
    limit: budget.limit,
    used,
    percent: percentOf(budget, now),
    resets_at: Number.isFinite(end) ? end : null,
    is_warning: isWarned(budget, now, warnPercent),
  }
}

/** A used-up budget: its limit in quota, and when it resets, in unix seconds. */
type ReachedBudget = Readonly<{ window: BudgetWindow; limit: number; resetsAt: number }>

/** A budget used less than this does not count as used up because of one large request. */
const MIN_USED_SHARE = 0.5

/**
 * Detects used-up budgets and reports each once per window. `min` is the quota that a rejected request needed: a budget
 * with less remaining counts as used up, although nothing more was charged. Windows of a minute are skipped, since they
 * end before anyone reads the notice.
 */
function createReachedBudgets(onUsed: (reached: ReachedBudget) => void) {
  const reportedSpans = new Map<BudgetWindow, Span>()
  return (budgets: readonly Budget[], now: number, min = 1): void => {
    for (const budget of budgets) {
      const { window, limit } = budget
      const span = budget.spanAt(now)
      const { used, end } = span
      if (window === 'minute' || min > limit || used + min <= limit || reportedSpans.get(window) === span) continue
      if (used < limit * MIN_USED_SHARE) continue
      reportedSpans.set(window, span)
      onUsed({ window, limit, resetsAt: end })
    }
  }
}
