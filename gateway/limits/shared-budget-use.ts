import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { SharedBudgets, WrittenCharge } from '../shared-state/shared-budgets.ts'
import type { TokenCharges } from '../store/ledger/token-charges.ts'
import { type Budget, type BudgetReservation, remainingIn, type Span, setAside } from './budget.ts'
import type { BudgetUsage, Spent } from './budget-usage.ts'
import { noTurns } from './read-turns.ts'

/** How long a request waits for the reservations of other nodes, and how often it tries. */
const WAIT_MS = 500
const RETRY_MS = 50
/** The delay before changes that are not urgent are published; it doubles while nothing changes. */
const TIDY_MS = 100
const MAX_TIDY_MS = 3200
/**
 * All usage is read again after this time: until then, every publication only reads the charges since the last reading.
 */
const REREAD_MS = 10_000

type SharedBudgetDeps = Readonly<{
  shared: SharedBudgets
  clock: Clock
  charges: TokenCharges
  tokenId: number
  /**
   * The budgets that have reservations or unwritten charges, by token id: a node publishes one sum per token, even if
   * the token's limits change in the meantime.
   */
  active: Map<number, SharedBudgetUse>
}>

type BudgetRules = Readonly<{
  /** Throws unless the quota fits into the budgets, next to what other nodes have reserved. */
  check(quota: number, others: number): void
  /** Called when charges have become known. */
  onCharged(): void
}>

/** Returns the use of a token's budgets that other nodes charge too; one object per token as long as it is active. */
export function sharedBudgetUse(deps: SharedBudgetDeps, rules: BudgetRules): SharedBudgetUse {
  const use = deps.active.get(deps.tokenId) ?? new SharedBudgetUse(deps, rules)
  use.rules = rules
  return use
}

/**
 * The budgets of one token on one of several nodes. A request reserves in two steps: the node publishes the quota, and
 * learns what the others have published before and all charges that are written; then it decides. This node's own
 * charges count at once, and are published until their rows are read.
 */
export class SharedBudgetUse implements BudgetUsage {
  rules: BudgetRules
  readonly #deps: SharedBudgetDeps
  #budgets: readonly Budget[] = []
  /** Usage includes the rows up to this id, and these later ones. */
  #readTo = 0
  readonly #laterRows = new Set<number>()
  #readMs = Number.NEGATIVE_INFINITY
  /** Own charges, by request id, that count although their rows have not been read. */
  readonly #unwritten = new Map<string, Spent>()
  /** Reserved for running requests, and for requests that are being decided. */
  #open = 0
  #published = 0
  #others = 0
  #running: Promise<unknown> = Promise.resolve()
  #next: Promise<number> | undefined
  #isTidying = false

  constructor(deps: SharedBudgetDeps, rules: BudgetRules) {
    this.#deps = deps
    this.rules = rules
  }

  /** Counts in these budgets from now on; the usage of all of them is unknown until it is read again. */
  setBudgets(budgets: readonly Budget[]): void {
    this.#budgets = budgets
    this.#readTo = 0
  }

  isReady(): boolean {
    return this.#readTo > 0 && this.#areKnown()
  }

  async read(): Promise<void> {
    await this.#publish()
  }

  charge(spent: Spent): boolean {
    if (spent.quota === 0) return this.isReady()
    this.#unwritten.set(spent.requestId, spent)
    if (this.isReady()) this.#count(spent)
    this.#tidy()
    return this.isReady()
  }

  /** Reserves `quota`, or as much of it as remains; throws `limited` or `exhausted` if less than `min` remains. */
  async claim(quota: number, min: number): Promise<BudgetReservation> {
    const untilMs = this.#deps.clock.monotonic() + WAIT_MS
    for (;;) {
      const others = await this.#publishWith(quota)
      // Nothing may run between the line above and the reservation.
      this.#open -= quota
      const isLate = this.#deps.clock.monotonic() > untilMs
      if (!this.isReady()) {
        if (isLate) throw new Error('the usage of a budget is not known')
        continue
      }
      const spans = this.#spans()
      const granted = Math.min(quota, remainingIn(spans) - others)
      if (granted >= min) return this.#reservation(spans, granted)
      if (others === 0 || isLate) this.rules.check(min, others)
      await sleep(RETRY_MS)
    }
  }

  /** Publishes, with a quota that is being decided: it stays in `#open` unless this rejects. */
  async #publishWith(quota: number): Promise<number> {
    this.#open += quota
    this.#tidy()
    try {
      return await this.#publish()
    } catch (error) {
      this.#open -= quota
      throw error
    }
  }

  #reservation(spans: readonly Span[], quota: number): BudgetReservation {
    const change = (more: number) => {
      setAside(spans, more)
      this.#open += more
      this.#tidy()
    }
    change(quota)
    return { quota, remaining: () => remainingIn(spans) - this.#others, change }
  }

  #spans(): Span[] {
    const now = unixSeconds(this.#deps.clock)
    return this.#budgets.map((budget) => budget.spanAt(now))
  }

  #areKnown(): boolean {
    const now = unixSeconds(this.#deps.clock)
    return this.#budgets.every((budget) => budget.isKnownAt(now))
  }

  #own(): number {
    let sum = this.#open
    for (const { quota } of this.#unwritten.values()) sum += quota
    return sum
  }

  /**
   * Publishes after the publication that is running; calls that wait share one publication. Returns the quota that
   * other nodes have published.
   */
  #publish(): Promise<number> {
    if (this.#next) return this.#next
    const next = this.#running.then(() => {
      this.#next = undefined
      return this.#publishNow()
    })
    this.#next = next
    this.#running = next.catch(() => {})
    return next
  }

  async #publishNow(): Promise<number> {
    const { shared, tokenId, clock } = this.#deps
    const isOld = clock.monotonic() - this.#readMs > REREAD_MS
    const reread = isOld || !this.isReady() ? await this.#reread() : undefined
    const published = this.#own()
    const { others, charges } = await shared.publish(tokenId, published, reread?.upTo ?? this.#readTo)
    this.#published = published
    this.#others = others
    reread?.apply()
    for (const row of charges) this.#apply(row)
    if (charges.length > 0) this.rules.onCharged()
    return others
  }

  /** Reads the usage up to a final row (`upTo`); the returned `apply` sets the usage. */
  async #reread(): Promise<Readonly<{ upTo: number; apply(): void }>> {
    const { shared, clock, charges, tokenId } = this.#deps
    const budgets = this.#budgets
    const readMs = clock.monotonic()
    const upTo = await shared.finalRow(REREAD_MS)
    const now = unixSeconds(clock)
    const changes: (() => void)[] = []
    for (const budget of budgets) changes.push(await budget.read(now, { charges, tokenId, upTo, turn: noTurns }))
    const written: string[] = []
    for (const id of this.#unwritten.keys()) if (((await charges.rowOf(id)) ?? Infinity) <= upTo) written.push(id)
    return {
      upTo,
      apply: () => {
        if (budgets !== this.#budgets) return
        for (const change of changes) change()
        for (const id of written) this.#unwritten.delete(id)
        for (const spent of this.#unwritten.values()) this.#count(spent)
        this.#laterRows.clear()
        this.#readTo = Math.max(upTo, 1)
        this.#readMs = readMs
      },
    }
  }

  #apply(row: WrittenCharge): void {
    if (this.#laterRows.has(row.id)) return
    this.#laterRows.add(row.id)
    if (!this.#unwritten.delete(row.requestId)) this.#count(row)
  }

  #count({ at, quota }: Pick<Spent, 'at' | 'quota'>): void {
    this.#spans()
    for (const budget of this.#budgets) budget.charge(at, quota)
  }

  /** Publishes changes after a moment. */
  #tidy(): void {
    this.#deps.active.set(this.#deps.tokenId, this)
    if (!this.#isTidying) void this.#tidyLater()
  }

  async #tidyLater(): Promise<void> {
    this.#isTidying = true
    let delayMs = TIDY_MS
    do {
      await sleep(delayMs, undefined, { ref: false })
      if (this.#deps.shared.isClosed) return
      const before = this.#published
      await this.#publish().catch(() => {})
      delayMs = this.#published === before ? Math.min(2 * delayMs, MAX_TIDY_MS) : TIDY_MS
    } while (this.#published !== this.#own() || this.#unwritten.size > 0)
    this.#isTidying = false
    if (this.#published === 0) this.#deps.active.delete(this.#deps.tokenId)
  }
}
