import type { BudgetWindow } from '../../shared/budgets.ts'
import type { TokenCharges } from '../store/ledger/token-charges.ts'
import type { Calendar } from './calendar.ts'
import type { ReadTurn } from './read-turns.ts'

/** The current window of a budget. Times are unix seconds, other figures are quota. */
export type Span = {
  readonly budget: Budget
  /** Charges of requests that arrived earlier belong to previous windows. */
  readonly from: number
  /** When the window began; Infinity until the first use of one that begins with it. */
  start: number
  /** When the window ends, exclusive; Infinity likewise. */
  end: number
  used: number
  reserved: number
}

/** A reservation in every budget of a token; has no effect on windows that have ended. */
export interface BudgetReservation {
  /** The quota reserved at first. */
  readonly quota: number
  /** The quota by which the reservation may be raised. */
  remaining(): number
  /** Adds quota, which may be negative. */
  change(quota: number): void
}

export function remainingIn(spans: readonly Span[]): number {
  let remaining = Number.POSITIVE_INFINITY
  for (const { budget, used, reserved } of spans) remaining = Math.min(remaining, budget.limit - used - reserved)
  return remaining
}

export function setAside(spans: readonly Span[], quota: number): void {
  for (const span of spans) span.reserved += quota
}

type PastCharges = Readonly<{ charges: TokenCharges; tokenId: number; upTo: number; turn: ReadTurn }>

/** One budget of one token. A charge counts in the window in which its request arrived, as in its log row. */
export interface Budget {
  readonly window: BudgetWindow
  /** May change; it then applies to the current window too. */
  limit: number
  /**
   * Returns the window of `now` and drops the previous one once it is over. A window whose usage is unknown is empty.
   */
  spanAt(now: number): Span
  /**
   * Whether the usage at `now` is known; false after the clock was set back, until the usage was read again (`read`)
   * (docs/reference/reliability.md#clocks).
   */
  isKnownAt(now: number): boolean
  charge(at: number, quota: number): void
  /**
   * Reads the usage from the ledger rows up to an id; the returned function sets it. Reservations in the current window
   * remain.
   */
  read(now: number, past: PastCharges): Promise<() => void>
}

export const createBudget = (window: BudgetWindow, limit: number, calendar: Calendar): Budget =>
  window === 'five_hours' ? byFirstUse(window, limit) : byCalendar(window, limit, calendar)

function byCalendar(window: Exclude<BudgetWindow, 'five_hours'>, limit: number, calendar: Calendar): Budget {
  const open = (now: number): Span => {
    const { start, end } = calendar.around(window, now)
    return { budget, from: start, start, end, used: 0, reserved: 0 }
  }
  const budget: Budget = {
    window,
    limit,
    spanAt(now) {
      if (now < span.start) return open(now)
      if (now >= span.end) span = open(now)
      return span
    },
    isKnownAt: (now) => now >= span.start,
    charge(at, quota) {
      if (at >= span.from && at < span.end) span.used += quota
    },
    async read(now, past) {
      const current = open(now)
      // Rows written while the clock was ahead may be later than now.
      current.used = await sumOf(past, current.start, current.end)
      return () => {
        if (span.start === current.start) span.used = current.used
        else span = current
      }
    },
  }
  let span = open(0)
  return budget
}

const FIVE_HOURS = 5 * 3600

function byFirstUse(window: 'five_hours', limit: number): Budget {
  const waiting = (from: number): Span => ({ budget, from, start: Infinity, end: Infinity, used: 0, reserved: 0 })
  const isKnownAt = (now: number) => now >= (span.start === Infinity ? span.from : span.start)
  const charge = (at: number, quota: number) => {
    if (at < span.from || at >= span.end) return
    // Of two requests, the later one may be charged first.
    span.start = Math.min(span.start, at)
    span.end = span.start + FIVE_HOURS
    span.used += quota
  }
  const budget: Budget = {
    window,
    limit,
    spanAt(now) {
      if (!isKnownAt(now)) return waiting(now)
      if (now >= span.end) span = waiting(span.end)
      return span
    },
    isKnownAt,
    charge,
    async read(now, past) {
      const { charges, tokenId, turn } = past
      // Windows before the current one are over, unless the clock was set back.
      let previousEnd = isKnownAt(now) ? span.from : 0
      let start = await charges.firstFrom(tokenId, previousEnd)
      while (start !== undefined && start + FIVE_HOURS <= now) {
        previousEnd = start + FIVE_HOURS
        await turn.next()
        start = await charges.firstFrom(tokenId, previousEnd)
      }
      // A row written while the clock was ahead does not start a window yet.
      if (start !== undefined && start > now) start = undefined
      const used = start === undefined ? 0 : await sumOf(past, start, start + FIVE_HOURS)
      return () => {
        if (span.from !== previousEnd) span = waiting(previousEnd)
        span.start = Infinity
        span.end = Infinity
        span.used = 0
        if (start !== undefined) charge(start, used)
      }
    },
  }
  let span = waiting(0)
  return budget
}

/**
 * Sums at most `maxSeconds` of charges at a time, because the sum of a busy month would block all streams on SQLite;
 * skips time without charges.
 */
async function sumOf({ charges, tokenId, upTo, turn }: PastCharges, from: number, to: number): Promise<number> {
  const { maxSeconds } = charges
  if (maxSeconds === Number.POSITIVE_INFINITY) return charges.sum(tokenId, from, to, upTo)
  let sum = 0
  for (let start: number | undefined = from; start < to; start += maxSeconds) {
    start = await charges.firstFrom(tokenId, start)
    if (start === undefined || start >= to) break
    sum += await charges.sum(tokenId, start, Math.min(to, start + maxSeconds), upTo)
    await turn.next()
  }
  return sum
}
