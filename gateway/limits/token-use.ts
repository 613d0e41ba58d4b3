import type { BudgetUse } from '../../shared/api/token.ts'
import { type BudgetWindow, budgetWindows } from '../../shared/budgets.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { STORAGE_UNAVAILABLE } from '../base/storage-fault.ts'
import { shareOfNode } from '../shared-state/rates.ts'
import type { SharedBudgets } from '../shared-state/shared-budgets.ts'
import type { CountRule, SharedCounts } from '../shared-state/shared-counts.ts'
import type { TokenCharges } from '../store/ledger/token-charges.ts'
import { type Budget, type BudgetReservation, createBudget, remainingIn, type Span, setAside } from './budget.ts'
import { type BudgetUsage, createBudgetUsage, type Spent } from './budget-usage.ts'
import { type Calendar, calendarOf } from './calendar.ts'
import type { ReadTurn } from './read-turns.ts'
import { type SharedBudgetUse, sharedBudgetUse } from './shared-budget-use.ts'
import { type SlidingSum, slidingSum } from './sliding-sum.ts'
import type { TokenLimits } from './token-limits.ts'
import { checkBudgets, tooFast } from './token-refusals.ts'

export type TokenUseDeps = Readonly<{
  clock: Clock
  charges: TokenCharges
  /** Resolves once everything charged so far is readable. */
  flush: () => Promise<void>
  /** Resolves in the next turn of the token's account. */
  readTurn: () => Promise<ReadTurn>
  show: (quota: number) => string
  /** The number of nodes that charge tokens, including this one. */
  livingNodes: () => number
  counts: SharedCounts
  /** Undefined if only this process charges tokens. */
  budgets?: SharedBudgets | undefined
  /** The budgets in use that other nodes share, by token. */
  active?: Map<number, SharedBudgetUse>
  /** Called once per window when a budget is used up. */
  onReached?: (tokenId: number, reached: ReachedBudget) => void
}>

const MINUTE_MS = 60_000
const PREPARE_MS = 10_000

/** Limits the requests of one token. Budgets reject nothing before their usage is known. */
export class TokenUse {
  readonly #deps: TokenUseDeps
  readonly #tokenId: number
  readonly #rates = { requests: slidingSum(), tokens: slidingSum() }
  readonly #shared: SharedBudgetUse | undefined
  readonly #usage: BudgetUsage
  #limits: TokenLimits
  #calendar: Calendar
  #budgets: readonly Budget[] = []
  #reportUsedUp = this.#usedUpReporter()

  constructor(deps: TokenUseDeps, tokenId: number, limits: TokenLimits) {
    this.#deps = deps
    this.#tokenId = tokenId
    this.#limits = limits
    this.#calendar = calendarOf(limits.timeZone)
    const { budgets: shared, active = new Map() } = deps
    const rules = {
      check: (min: number, others: number) => this.#check(min, others),
      onCharged: () => this.#onCharged(),
    }
    this.#shared = shared && sharedBudgetUse({ ...deps, shared, tokenId, active }, rules)
    this.#usage = this.#shared ?? createBudgetUsage(deps, tokenId)
    this.#setBudgets(limits, this.#calendar)
  }

  get limits(): TokenLimits {
    return this.#limits
  }

  /** Applies other limits from now on. Usage that is known remains known. */
  set limits(limits: TokenLimits) {
    const isSameZone = limits.timeZone === this.#limits.timeZone
    this.#limits = limits
    this.#reportUsedUp = this.#usedUpReporter()
    this.#setBudgets(limits, isSameZone ? this.#calendar : calendarOf(limits.timeZone))
  }

  /** Whether the usage of the budgets is unknown and must be read, for example after the clock was set back. */
  get needsPreparing(): boolean {
    return this.#budgets.length > 0 && !this.#usage.isReady()
  }

  /** Throws `unavailable` if the usage cannot be read in time: the request occupies one of its account's slots. */
  async prepare(): Promise<void> {
    if (this.needsPreparing) await inTime(this.#usage.read())
  }

  /** Counts a request; throws `limited` if there were too many requests or tokens in the last minute. */
  admit(): MaybePromise<void> {
    const { counts, clock } = this.#deps
    const { requestsPerMinute } = this.#limits
    const ofTokens = this.#tokenRule()
    const rules = [this.#requestRule(), ofTokens].filter(({ limit }) => limit > 0)
    if (rules.length === 0 || !counts.isUp) return this.#admitHere()
    return counts.take(rules).then((result) => {
      if (!result) return this.#admitHere()
      if (!result.isAllowed) {
        const { rule, waitMs } = result
        throw tooFast(rule === ofTokens ? 'relay.tokenTokens' : 'relay.tokenRequests', rule.limit, waitMs)
      }
      if (requestsPerMinute > 0) this.#rates.requests.add(clock.monotonic(), 1, MINUTE_MS)
    })
  }

  /** The quota a new request may still spend within every budget. */
  remaining(): number {
    return remainingIn(this.#spans())
  }

  /** Reserves quota in every budget; throws `limited` or `exhausted` if `min` does not fit. */
  reserve(quota: number, min: number): BudgetReservation {
    if (quota > 0 && this.#usage.isReady()) this.#check(min, 0)
    const spans = this.#spans()
    setAside(spans, quota)
    return { quota, remaining: () => remainingIn(spans), change: (more) => setAside(spans, more) }
  }

  /**
   * Takes the place of `reserve` if other nodes reserve in the same budgets: reserves `quota`, or as much of it as
   * remains.
   */
  get claim(): SharedBudgetUse['claim'] | undefined {
    const shared = this.#budgets.length > 0 ? this.#shared : undefined
    return shared && ((quota, min) => shared.claim(quota, min))
  }

  spend(spent: Spent & Readonly<{ tokens: number }>): void {
    if (this.#limits.tokensPerMinute > 0) {
      this.#rates.tokens.add(this.#deps.clock.monotonic(), spent.tokens, MINUTE_MS)
      this.#deps.counts.add({ ...this.#tokenRule(), amount: spent.tokens })
    }
    if (this.#budgets.length > 0 && this.#usage.charge(spent)) this.#onCharged()
  }

  /** The value of `X-Switchyard-Budget`: the budgets whose usage has reached the warning threshold. */
  warning(): string | undefined {
    const warned = this.report().filter((budget) => budget.is_warning)
    if (warned.length === 0) return undefined
    return warned.map(({ window, percent }) => `${window};used=${percent}`).join(', ')
  }

  report(): BudgetUse[] {
    const now = unixSeconds(this.#deps.clock)
    return this.#budgets.map((budget) => reported(budget, now, this.#limits.warnPercent))
  }

  #setBudgets({ budgets: quotas }: TokenLimits, calendar: Calendar): void {
    const current = calendar === this.#calendar ? this.#budgets : []
    const set = budgetWindows.filter((window) => quotas[window] > 0)
    const budgets = set.map((window) => {
      const budget = current.find((budget) => budget.window === window)
      if (!budget) return createBudget(window, quotas[window], calendar)
      budget.limit = quotas[window]
      return budget
    })
    this.#calendar = calendar
    if (budgets.length === this.#budgets.length && budgets.every((budget) => this.#budgets.includes(budget))) return
    this.#budgets = budgets
    this.#usage.setBudgets(budgets)
  }

  #usedUpReporter() {
    return createReachedBudgets((reached) => this.#deps.onReached?.(this.#tokenId, reached))
  }

  #spans(): Span[] {
    const now = unixSeconds(this.#deps.clock)
    return this.#usage.isReady() ? this.#budgets.map((budget) => budget.spanAt(now)) : []
  }

  #check(min: number, others: number): void {
    const { clock, show } = this.#deps
    const now = unixSeconds(clock)
    this.#reportUsedUp(this.#budgets, now, Math.max(1, min))
    const { timeZone } = this.#limits
    checkBudgets(this.#budgets, { quota: min, others, now, calendar: this.#calendar, timeZone, show })
  }

  #onCharged(): void {
    this.#reportUsedUp(this.#budgets, unixSeconds(this.#deps.clock))
  }

  #admitHere(): void {
    const now = this.#deps.clock.monotonic()
    const { requestsPerMinute, tokensPerMinute } = this.#limits
    const limitOf = (limit: number) => shareOfNode(limit, this.#deps.livingNodes())
    if (requestsPerMinute > 0) check('relay.tokenRequests', this.#rates.requests, now, limitOf(requestsPerMinute))
    if (tokensPerMinute > 0) check('relay.tokenTokens', this.#rates.tokens, now, limitOf(tokensPerMinute))
    if (requestsPerMinute > 0) this.#rates.requests.add(now, 1, MINUTE_MS)
  }

  #requestRule(): CountRule {
    const { requestsPerMinute: limit } = this.#limits
    return { key: `token requests ${this.#tokenId}`, limit, windowMs: MINUTE_MS, amount: 1 }
  }

  #tokenRule(): CountRule {
    const { tokensPerMinute: limit } = this.#limits
    return { key: `token tokens ${this.#tokenId}`, limit, windowMs: MINUTE_MS, amount: 0 }
  }
}

async function inTime(reading: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(refuse('unavailable', 'relay.storageUnavailable', {}, { code: STORAGE_UNAVAILABLE })),
    PREPARE_MS,
  )
  try {
    await Promise.race([reading, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function check(key: Parameters<typeof tooFast>[0], sum: SlidingSum, now: number, limit: number): void {
  if (sum.within(now, MINUTE_MS) >= limit) throw tooFast(key, limit, sum.wait(now, MINUTE_MS, limit))
}

function reported(budget: Budget, now: number, warnPercent: number): BudgetUse {
  const { window, limit } = budget
  const { used, end } = budget.spanAt(now)
  const percent = Math.floor((used * 100) / limit)
  return {
    window,
    limit,
    used,
    percent,
    resets_at: Number.isFinite(end) ? end : null,
    is_warning: warnPercent > 0 && percent >= warnPercent,
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
