import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BudgetWindow } from '../../shared/budgets.ts'
import type { TokenCharges } from '../store/token-charges.ts'
import type { Calendar } from './calendar.ts'

/** The window a budget is in. Times are unix seconds, all else is quota. */
export type Span = {
  readonly limit: number
  /** Charges of requests that arrived earlier belong to windows before. */
  readonly from: number
  /** When it began; Infinity while it waits for its first use. */
  start: number
  /** When the next one begins; Infinity as above. */
  end: number
  used: number
  /** Set aside for requests that are running. */
  held: number
}

/** The ledger as one token sees it. */
type PastCharges = Readonly<{ charges: TokenCharges; tokenId: number; upTo: number }>

/** One budget of one token. A charge counts for the window in which its request arrived, as its log row says. */
export interface Budget {
  readonly window: BudgetWindow
  readonly limit: number
  /** The window of `now`; the one before is forgotten once it is over. Nothing is used in one that is not known. */
  spanAt(now: number): Span
  /** Whether it is known what was used at `now`: not from when a clock was set back, until `restore` (docs/reference/reliability.md#clocks). */
  isKnownAt(now: number): boolean
  charge(at: number, quota: number): void
  /** Takes what the ledger says, in its rows up to an id, for what has been used. */
  restore(now: number, past: PastCharges): Promise<void>
}

/** A budget for a calendar window, or for the five hours from the first use after the last five hours were over. */
export const createBudget = (window: BudgetWindow, limit: number, calendar: Calendar): Budget =>
  window === 'five_hours' ? byFirstUse(window, limit) : byCalendar(window, limit, calendar)

function byCalendar(window: Exclude<BudgetWindow, 'five_hours'>, limit: number, calendar: Calendar): Budget {
  const open = (now: number): Span => {
    const { start, end } = calendar.around(window, now)
    return { limit, from: start, start, end, used: 0, held: 0 }
  }
  let span = open(0)
  return {
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
    async restore(now, past) {
      const present = open(now)
      // Rows of a clock that was ahead may be of later than now.
      present.used = await sumOf(past, present.start, present.end)
      span = present
    },
  }
}

const FIVE_HOURS = 5 * 3600

function byFirstUse(window: 'five_hours', limit: number): Budget {
  const waiting = (from: number): Span => ({
    limit,
    from,
    start: Infinity,
    end: Infinity,
    used: 0,
    held: 0,
  })
  let span = waiting(0)
  const isKnownAt = (now: number) => now >= (span.start === Infinity ? span.from : span.start)
  const charge = (at: number, quota: number) => {
    if (at < span.from || at >= span.end) return
    // Of two requests the later one may be charged first.
    span.start = Math.min(span.start, at)
    span.end = span.start + FIVE_HOURS
    span.used += quota
  }
  return {
    window,
    limit,
    spanAt(now) {
      if (!isKnownAt(now)) return waiting(now)
      if (now >= span.end) span = waiting(span.end)
      return span
    },
    isKnownAt,
    charge,
    async restore(now, past) {
      const { charges, tokenId } = past
      let over = 0
      let start = await charges.firstFrom(tokenId, over)
      while (start !== undefined && start + FIVE_HOURS <= now) {
        over = start + FIVE_HOURS
        start = await charges.firstFrom(tokenId, over)
      }
      // A row of a clock that was ahead begins no window yet.
      if (start !== undefined && start > now) start = undefined
      const used = start === undefined ? 0 : await sumOf(past, start, start + FIVE_HOURS)
      span = waiting(over)
      if (start !== undefined) charge(start, used)
    },
  }
}

const DAY = 86_400

/** Added up a day at a time: a busy month all at once would hold up every stream. */
async function sumOf({ charges, tokenId, upTo }: PastCharges, from: number, to: number): Promise<number> {
  let sum = 0
  for (let start = from; start < to; start += DAY) {
    sum += await charges.sum(tokenId, start, Math.min(to, start + DAY), upTo)
    await nextTurn()
  }
  return sum
}
