import { GatewayError, refuse } from '../../base/errors.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { STORAGE_UNAVAILABLE } from '../../base/storage-fault.ts'
import type { Charge, Hold, HoldRequest, Ledger } from '../../billing/ledger.ts'
import type { BudgetReservation } from '../../limits/budget.ts'
import type { TokenUse } from '../../limits/token-use.ts'
import type { TokenUseRegistry } from '../../limits/token-use-registry.ts'

/**
 * Wraps the ledger with token budgets: a reservation also counts in them, is limited to the remaining quota of the
 * tightest one, and is refused if its minimum does not fit. A charge counts exactly once, by any path.
 */
export const budgetedLedger = (ledger: Ledger, uses: TokenUseRegistry): Ledger => ({
  ...ledger,
  hold(request) {
    if (request.tokenId === 0) return ledger.hold(request)
    const { generation } = uses
    const use = uses.of(request.tokenId)
    const { minQuota = request.quota } = request
    // A request that may cost something never reserves zero, even if nothing is left.
    const min = Math.min(request.quota, Math.max(minQuota, 1))
    const counting = { uses, generation, use, requestId: request.requestId, tokenId: request.tokenId, min }
    if (use?.claim && request.quota > 0) return claimed(ledger, { ...request, minQuota }, counting, use.claim)
    const maxQuota = use ? Math.max(use.remaining(), min) : request.quota
    const hold = ledger.hold({ ...request, minQuota, maxQuota })
    return hold instanceof Promise ? hold.then((hold) => counted(hold, counting)) : counted(hold, counting)
  },
})

type Counting = Readonly<{
  uses: TokenUseRegistry
  generation: number
  use: TokenUse | undefined
  requestId: string
  tokenId: number
  min: number
}>

/** Reserves first in the budgets that other nodes share, then in the balance. */
async function claimed(
  ledger: Ledger,
  request: HoldRequest,
  counting: Counting,
  claim: NonNullable<TokenUse['claim']>,
): Promise<Hold> {
  const reservation = await claim(request.quota, counting.min).catch(unavailable)
  try {
    const hold = await ledger.hold({ ...request, maxQuota: reservation.quota })
    return new CountedHold(hold, counting, reservation)
  } catch (error) {
    reservation.change(-reservation.quota)
    throw error
  }
}

function unavailable(cause: unknown): never {
  if (cause instanceof GatewayError) throw cause
  throw refuse('unavailable', 'relay.storageUnavailable', {}, { code: STORAGE_UNAVAILABLE, cause })
}

/** Reserves in the budgets too; releases the hold if it no longer fits there. */
function counted(hold: Hold, counting: Counting): Hold {
  try {
    return new CountedHold(hold, counting)
  } catch (error) {
    hold.release()
    throw error
  }
}

class CountedHold implements Hold {
  quota: number
  #isOpen = true
  /** The charge of the last checkpoint, which counts in the budgets on release without a settlement. */
  #owed: Charge | undefined
  readonly #hold: Hold
  readonly #counting: Counting
  readonly #reservation: BudgetReservation | undefined

  /**
   * Reserves in the budgets what still fits, unless `reservation` is given: other requests may have used a part of the
   * budgets while the balance was reserved.
   */
  constructor(hold: Hold, counting: Counting, reservation?: BudgetReservation) {
    const { use, min } = counting
    const max = reservation?.quota ?? (use ? Math.max(use.remaining(), min) : hold.quota)
    this.quota = Math.min(hold.quota, max)
    reservation?.change(this.quota - reservation.quota)
    this.#reservation = reservation ?? use?.reserve(this.quota, min)
    this.#hold = hold
    this.#counting = counting
  }

  extend(quota: number, min = quota): boolean {
    if (!this.#reservation) return this.#extendTo(quota, min)
    const more = Math.min(quota, this.#reservation.remaining())
    const before = this.quota
    if (more < min || !this.#extendTo(more, min)) return false
    this.#reservation.change(this.quota - before)
    return true
  }

  get isAccountShort(): boolean {
    return this.#hold.isAccountShort
  }

  checkpoint(charge: Charge): void {
    if (this.#isOpen) this.#owed = charge
    this.#hold.checkpoint(charge)
  }

  withdraw(): void {
    this.#owed = undefined
    this.#hold.withdraw()
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

  #extendTo(quota: number, min: number): boolean {
    const before = this.#hold.quota
    const isExtended = this.#isOpen && this.#hold.extend(quota, min)
    this.quota += this.#hold.quota - before
    return isExtended
  }

  /** Also counts the charge for a token that got its limits during the request. */
  #close(charge: Charge | undefined): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#reservation?.change(-this.quota)
    if (!charge) return
    const { uses, generation, requestId, tokenId } = this.#counting
    const use = generation === uses.generation ? this.#counting.use : uses.of(tokenId)
    use?.spend({ requestId, at: charge.at, quota: charge.quota, tokens: charge.tokens ?? 0 })
  }
}
