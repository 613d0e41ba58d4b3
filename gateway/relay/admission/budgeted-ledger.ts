import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Charge, Hold, Ledger } from '../../billing/ledger.ts'
import type { Span } from '../../limits/budget.ts'
import { roomIn, setAside, type TokenUse } from '../../limits/token-use.ts'
import type { TokenUseRegistry } from '../../limits/token-use-registry.ts'

/**
 * The ledger, with the budgets of tokens around it: what is set aside is set aside there as well, never more than is left
 * of the tightest, and refused where the least does not fit; what is charged has been used, exactly and once, whoever
 * charges it.
 */
export const budgetedLedger = (ledger: Ledger, uses: TokenUseRegistry): Ledger => ({
  ...ledger,
  hold(ask) {
    if (ask.tokenId === 0) return ledger.hold(ask)
    const { generation } = uses
    const use = uses.of(ask.tokenId)
    const { minQuota = ask.quota } = ask
    const quota = use ? Math.min(ask.quota, Math.max(use.room(), minQuota)) : ask.quota
    const counting = { uses, generation, use, requestId: ask.requestId, tokenId: ask.tokenId, min: minQuota }
    const held = ledger.hold({ ...ask, quota, minQuota })
    return held instanceof Promise ? held.then((hold) => counted(hold, counting)) : counted(held, counting)
  },
})

/** Whose use is counted, and how. */
type Counting = Readonly<{
  uses: TokenUseRegistry
  generation: number
  use: TokenUse | undefined
  requestId: string
  tokenId: number
  min: number
}>

/** A hold whose quota is set aside in the budgets as well; given back where it no longer fits there. */
function counted(hold: Hold, counting: Counting): Hold {
  try {
    return new CountedHold(hold, counting)
  } catch (error) {
    hold.release()
    throw error
  }
}

/** A hold that tells the use of its token what becomes of it. */
class CountedHold implements Hold {
  quota: number
  #isOpen = true
  /** What a crash, or a release without an end, is charged at. */
  #owed: Charge | undefined
  readonly #hold: Hold
  readonly #counting: Counting
  readonly #spans: readonly Span[] | undefined

  /** Sets aside in the budgets what still fits: while another node was asked, others may have used them. */
  constructor(hold: Hold, counting: Counting) {
    const { use, min } = counting
    this.quota = use ? Math.min(hold.quota, Math.max(use.room(), min)) : hold.quota
    this.#spans = use?.reserve(this.quota, min)
    this.#hold = hold
    this.#counting = counting
  }

  extend(wanted: number, min = wanted): boolean {
    if (!this.#spans) return this.#extendTo(wanted, min)
    const more = Math.min(wanted, roomIn(this.#spans))
    const before = this.quota
    if (more < min || !this.#extendTo(more, min)) return false
    setAside(this.#spans, this.quota - before)
    return true
  }

  checkpoint(charge: Charge): void {
    if (this.#isOpen) this.#owed = charge
    this.#hold.checkpoint(charge)
  }

  settle(charge: Charge): MaybePromise<void> {
    const settled = this.#hold.settle(charge)
    this.#close(charge)
    return settled
  }

  release(): void {
    this.#hold.release()
    this.#close(this.#owed)
  }

  #extendTo(wanted: number, min: number): boolean {
    const before = this.#hold.quota
    const isExtended = this.#isOpen && this.#hold.extend(wanted, min)
    this.quota += this.#hold.quota - before
    return isExtended
  }

  /** A token that got its limits while the request ran is charged as well. */
  #close(charge: Charge | undefined): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.#spans) setAside(this.#spans, -this.quota)
    if (!charge) return
    const { uses, generation, requestId, tokenId } = this.#counting
    const use = generation === uses.generation ? this.#counting.use : uses.of(tokenId)
    use?.spend({ requestId, at: charge.at, quota: charge.quota, tokens: charge.tokens ?? 0 })
  }
}
