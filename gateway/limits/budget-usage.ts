import { type Clock, unixSeconds } from '../base/clock.ts'
import type { TokenCharges } from '../store/ledger/token-charges.ts'
import type { Budget } from './budget.ts'
import type { ReadTurn } from './read-turns.ts'

/** A charge of a token, as in its ledger row: `at` is when the request arrived, in unix seconds. */
export type Spent = Readonly<{ requestId: string; at: number; quota: number }>

/** What one token has used of its budgets. */
export interface BudgetUsage {
  /** Counts in these budgets from now on. */
  setBudgets(budgets: readonly Budget[]): void
  /**
   * Whether the usage of every budget is known. The usage must be read before the first use, and again after the clock
   * was set back.
   */
  isReady(): boolean
  /** Reads unknown usage from the ledger; rejects if that fails. */
  read(): Promise<void>
  /** Returns false if the charge counts only once the usage is known. */
  charge(spent: Spent): boolean
}

type BudgetUsageDeps = Readonly<{
  clock: Clock
  charges: TokenCharges
  /** Resolves once everything charged so far is readable. */
  flush: () => Promise<void>
  /** Resolves in the next turn of the token's account. */
  readTurn: () => Promise<ReadTurn>
}>

/**
 * The usage of budgets that only this process charges. Each is read once: its usage stays known while other budgets of
 * the token change.
 */
export function createBudgetUsage({ clock, charges, flush, readTurn }: BudgetUsageDeps, tokenId: number): BudgetUsage {
  let budgets: readonly Budget[] = []
  const wereRead = new WeakSet<Budget>()
  const pending: Spent[] = []
  let reading: Promise<void> | undefined
  const isKnown = (budget: Budget) => wereRead.has(budget) && budget.isKnownAt(unixSeconds(clock))
  const isReady = () => budgets.every(isKnown)
  const readUnknown = async () => {
    const unknown = budgets.filter((budget) => !isKnown(budget))
    for (const budget of unknown) wereRead.delete(budget)
    await flush()
    const now = unixSeconds(clock)
    const upTo = await charges.newest()
    const changes: (() => void)[] = []
    const turn = await readTurn()
    try {
      for (const budget of unknown) changes.push(await budget.read(now, { charges, tokenId, upTo, turn }))
    } finally {
      turn.end()
    }
    // A charge made meanwhile may be in the rows already read.
    const missed: Spent[] = []
    for (let spent = pending.shift(); spent; spent = pending.shift())
      if (((await charges.rowOf(spent.requestId)) ?? Infinity) > upTo) missed.push(spent)
    for (const change of changes) change()
    for (const budget of unknown) wereRead.add(budget)
    for (const spent of missed) countIn(unknown, unixSeconds(clock), spent)
  }
  const readAll = async () => {
    // Budgets may be added during a reading.
    while (!isReady()) await readUnknown()
  }
  return {
    setBudgets(changed) {
      budgets = changed
    },
    isReady,
    read() {
      reading ??= readAll().finally(() => {
        reading = undefined
      })
      return reading
    },
    charge(spent) {
      countIn(budgets.filter(isKnown), unixSeconds(clock), spent)
      if (isReady()) return true
      pending.push(spent)
      return false
    },
  }
}

function countIn(budgets: readonly Budget[], now: number, { at, quota }: Spent): void {
  for (const budget of budgets) {
    budget.spanAt(now)
    budget.charge(at, quota)
  }
}
