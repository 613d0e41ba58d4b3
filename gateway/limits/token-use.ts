import type { BudgetUse } from '../../shared/api/token.ts'
import { type BudgetWindow, budgetWindows } from '../../shared/budgets.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { TokenCharges } from '../store/token-charges.ts'
import { type Budget, createBudget, type Span } from './budget.ts'
import { calendarOf } from './calendar.ts'
import { type SlidingSum, slidingSum } from './sliding-sum.ts'
import type { TokenLimits } from './token-limits.ts'
import { checkBudgets, tooFast } from './token-refusals.ts'

/** A charge of the token, as its ledger row will have it: `at` is when the request arrived, in unix seconds. */
export type Spent = Readonly<{ requestId: string; at: number; quota: number; tokens: number }>

/** What a token with limits has used of them. */
export interface TokenUse {
  readonly limits: TokenLimits
  /** Requests and tokens of the last minute. */
  readonly rates: Readonly<{ requests: SlidingSum; tokens: SlidingSum }>
  /** Whether it is known what the budgets have been used for; no longer once the clock was set back to before their windows. */
  readonly isReady: boolean
  /** Reads that from the ledger where it is not known. */
  prepare(): Promise<void>
  /** Counts a request, or throws a refusal of kind `limited`: too many requests or tokens in the last minute. */
  admit(): MaybePromise<void>
  /** What a request that begins now may still spend of every budget. */
  room(): number
  /**
   * Sets quota aside in every budget; throws `limited` or `exhausted` where `least` does not fit. What is set aside may
   * be changed with `setAside`.
   */
  reserve(quota: number, min: number): readonly Span[]
  spend(spent: Spent): void
  /** The value of `X-Switchyard-Budget`: the budgets that are used so far that their owner wants a warning. */
  warning(): string | undefined
  /** The budgets that are set, as they stand. */
  report(): BudgetUse[]
}

export type TokenUseDeps = Readonly<{
  clock: Clock
  charges: TokenCharges
  /** Resolves once everything charged so far can be read. */
  flush: () => Promise<void>
  show: (quota: number) => string
  /** Told once for each window of a budget that it is used up. */
  onReached?: (tokenId: number, reached: ReachedBudget) => void
}>

const MINUTE_MS = 60_000

/** The use of one token; of one whose limits were changed, `rates` go on. Nothing is refused before it is ready. */
export function createTokenUse(
  deps: TokenUseDeps,
  tokenId: number,
  limits: TokenLimits,
  rates: TokenUse['rates'] = { requests: slidingSum(), tokens: slidingSum() },
): TokenUse {
  const { clock, charges, show } = deps
  const { timeZone, requestsPerMinute, tokensPerMinute, warnPercent } = limits
  const calendar = calendarOf(timeZone)
  const budgets = budgetsOf(limits, calendar)
  const lookAtEnds = createReachedBudgets((reached) => deps.onReached?.(tokenId, reached))
  const early: Spent[] = []
  let preparing: Promise<void> | undefined
  let isRead = budgets.length === 0
  const restore = async () => {
    isRead = false
    await deps.flush()
    const now = unixSeconds(clock)
    const upTo = await charges.newest()
    // One after the other: others have their turn between two sums over a day.
    for (const budget of budgets) await budget.restore(now, { charges, tokenId, upTo })
    // What was charged meanwhile may be in the rows that were read.
    const missed: Spent[] = []
    for (let spent = early.shift(); spent; spent = early.shift())
      if (((await charges.rowOf(spent.requestId)) ?? Infinity) > upTo) missed.push(spent)
    isRead = true
    for (const spent of missed) charge(budgets, unixSeconds(clock), spent)
  }
  const use: TokenUse = {
    limits,
    rates,
    get isReady() {
      return isRead && areKnown(budgets, clock)
    },
    prepare() {
      if (use.isReady) return Promise.resolve()
      preparing ??= restore().finally(() => {
        preparing = undefined
      })
      return preparing
    },
    admit() {
      const now = clock.monotonic()
      if (requestsPerMinute > 0) check('relay.tokenRequests', rates.requests, now, requestsPerMinute)
      if (tokensPerMinute > 0) check('relay.tokenTokens', rates.tokens, now, tokensPerMinute)
      if (requestsPerMinute > 0) rates.requests.add(now, 1, MINUTE_MS)
    },
    room() {
      const now = unixSeconds(clock)
      return use.isReady ? roomIn(budgets.map((budget) => budget.spanAt(now))) : Number.POSITIVE_INFINITY
    },
    reserve(quota, min) {
      if (!use.isReady) return []
      const now = unixSeconds(clock)
      if (quota > 0) {
        lookAtEnds(budgets, now, Math.max(1, min))
        checkBudgets(budgets, { quota: min, now, calendar, timeZone, show })
      }
      const spans = budgets.map((budget) => budget.spanAt(now))
      for (const span of spans) span.held += quota
      return spans
    },
    spend(spent) {
      if (tokensPerMinute > 0) rates.tokens.add(clock.monotonic(), spent.tokens, MINUTE_MS)
      if (!use.isReady) return void early.push(spent)
      charge(budgets, unixSeconds(clock), spent)
      lookAtEnds(budgets, unixSeconds(clock))
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

function areKnown(budgets: readonly Budget[], clock: Clock): boolean {
  const now = unixSeconds(clock)
  return budgets.every((budget) => budget.isKnownAt(now))
}

/** What is left of the tightest of some windows. */
export function roomIn(spans: readonly Span[]): number {
  let room = Number.POSITIVE_INFINITY
  for (const { limit, used, held } of spans) room = Math.min(room, limit - used - held)
  return room
}

/** Sets more aside, or (less than 0) gives it back; windows that are over meanwhile do not mind. */
export function setAside(spans: readonly Span[], quota: number): void {
  for (const span of spans) span.held += quota
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

/** A budget of a token that is used up: its limit in quota, and when it begins again, in unix seconds. */
type ReachedBudget = Readonly<{ window: BudgetWindow; limit: number; resetsAt: number }>

/** A budget of which less than this part is used has not come to its end because somebody wants much at once. */
const MIN_USED_SHARE = 0.5

/**
 * Looks whether budgets are used up, and tells of each once while its window lasts. `least` is what a request was refused for
 * wanting: where nothing is charged any more, that is how a budget ends. One of a minute is over before anybody reads of it.
 */
function createReachedBudgets(onUsed: (reached: ReachedBudget) => void) {
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
