import type { Charge, Hold, HoldAsk, Ledger } from '../../billing/ledger.ts'
import type { Span } from '../../limits/budget.ts'
import { roomIn, setAside, type TokenUse } from '../../limits/token-use.ts'
import type { TokenUses } from '../../limits/token-uses.ts'

/**
 * The ledger, with the budgets of tokens around it: what is set aside is set aside there as well, never more than is left
 * of the tightest, and refused where the least does not fit; what is charged has been used, exactly and once, whoever
 * charges it.
 */
export const budgetedLedger = (ledger: Ledger, uses: TokenUses): Ledger => ({
  ...ledger,
  hold(ask) {
    if (ask.tokenId === 0) return ledger.hold(ask)
    const { generation } = uses
    const use = uses.of(ask.tokenId)
    const { least = ask.quota } = ask
    const quota = use ? Math.min(ask.quota, Math.max(use.room(), least)) : ask.quota
    const hold = ledger.hold({ ...ask, quota, least })
    try {
      return new CountedHold(hold, ask, uses, generation, use, use?.reserve(hold.quota, least))
    } catch (error) {
      hold.release()
      throw error
    }
  },
})

/** A hold that tells the use of its token what becomes of it. */
class CountedHold implements Hold {
  quota: number
  #isOpen = true
  /** What a crash, or a release without an end, is charged at. */
  #owed: Charge | undefined
  readonly #hold: Hold
  readonly #ask: HoldAsk
  readonly #uses: TokenUses
  readonly #generation: number
  readonly #use: TokenUse | undefined
  readonly #spans: readonly Span[] | undefined

  constructor(
    hold: Hold,
    ask: HoldAsk,
    uses: TokenUses,
    generation: number,
    use: TokenUse | undefined,
    spans: readonly Span[] | undefined,
  ) {
    this.quota = hold.quota
    this.#hold = hold
    this.#ask = ask
    this.#uses = uses
    this.#generation = generation
    this.#use = use
    this.#spans = spans
  }

  extend(wanted: number, least = wanted): boolean {
    if (!this.#spans) return this.#extendTo(wanted, least)
    const more = Math.min(wanted, roomIn(this.#spans))
    const before = this.quota
    if (more < least || !this.#extendTo(more, least)) return false
    setAside(this.#spans, this.quota - before)
    return true
  }

  checkpoint(charge: Charge): void {
    if (this.#isOpen) this.#owed = charge
    this.#hold.checkpoint(charge)
  }

  settle(charge: Charge): void {
    this.#hold.settle(charge)
    this.#close(charge)
  }

  release(): void {
    this.#hold.release()
    this.#close(this.#owed)
  }

  #extendTo(wanted: number, least: number): boolean {
    const isExtended = this.#isOpen && this.#hold.extend(wanted, least)
    this.quota = this.#hold.quota
    return isExtended
  }

  /** A token that got its limits while the request ran is charged as well. */
  #close(charge: Charge | undefined): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.#spans) setAside(this.#spans, -this.quota)
    if (!charge) return
    const use = this.#generation === this.#uses.generation ? this.#use : this.#uses.of(this.#ask.tokenId)
    use?.spend({ requestId: this.#ask.requestId, at: charge.at, quota: charge.quota, tokens: charge.tokens ?? 0 })
  }
}
