import { refuse } from '../../base/errors.ts'
import type { JsonScan } from '../../base/json/json-scan.ts'
import type { Owner } from '../model/request-context.ts'

/** A memory budget: of the bodies of active requests and the frames of sockets, or of upstream responses. */
export interface BodyMemory {
  /** The share of one request or socket of an account (0 if unknown), released when `owner` closes. */
  shareFor(owner: Owner, accountId: number): MemoryShare
  readonly taken: number
}

export interface MemoryShare {
  /**
   * Raises the share to a total of `bytes`; throws `unavailable` if other requests, or the account's other ones, hold
   * too much.
   */
  grow(bytes: number): void
  /** Releases the share before the end. */
  giveBack(): void
  /** Whether the account's requests hold an eighth of the budget or more. */
  readonly isMuchOfAccount: boolean
}

/**
 * Bytes that a JSON text takes together with its parsed values: an empty list takes 56, a number of a vector 8, while
 * its list grows by a half.
 */
export const memoryOfJson = (length: number, { values, listed }: Pick<JsonScan, 'values' | 'listed'>): number =>
  length + VALUE_BYTES * values + LISTED_BYTES * listed
const VALUE_BYTES = 64
const LISTED_BYTES = 16

/** Bytes up to which a body is not counted: the number of requests bounds small ones. */
const UNCOUNTED = 64 * 1024
const RETRY_SECONDS = 2

type Memory = { taken: number; readonly max: number; readonly ofAccounts: Map<number, number> }

/**
 * At most `maxBytes` over all requests. An account may take no more than it leaves free, unless its body is the only
 * one.
 */
export function createBodyMemory(maxBytes: number): BodyMemory {
  const memory: Memory = { taken: 0, max: maxBytes, ofAccounts: new Map() }
  return {
    shareFor: (owner, accountId) => new OwnedBudget(memory, owner, accountId),
    get taken() {
      return memory.taken
    },
  }
}

class OwnedBudget implements MemoryShare {
  readonly #memory: Memory
  readonly #owner: Owner
  readonly #accountId: number
  #own = 0
  #isHeard = false

  constructor(memory: Memory, owner: Owner, accountId: number) {
    this.#memory = memory
    this.#owner = owner
    this.#accountId = accountId
  }

  grow(bytes: number): void {
    if (bytes <= UNCOUNTED || bytes <= this.#own || this.#owner.closed) return
    const more = bytes - this.#own
    if (!this.#fits(more)) throw refuse('unavailable', 'relay.bodiesBusy', {}, { retryAfterSeconds: RETRY_SECONDS })
    if (!this.#isHeard) this.#owner.once('close', () => this.giveBack())
    this.#isHeard = true
    this.#take(more)
  }

  giveBack(): void {
    this.#take(-this.#own)
  }

  get isMuchOfAccount(): boolean {
    const { ofAccounts, max } = this.#memory
    return (ofAccounts.get(this.#accountId) ?? 0) >= max / 8
  }

  #fits(more: number): boolean {
    const { taken, max, ofAccounts } = this.#memory
    const free = max - taken - more
    const isOnly = taken === this.#own
    return free >= 0 && (isOnly || (ofAccounts.get(this.#accountId) ?? 0) + more <= free)
  }

  #take(bytes: number): void {
    const { ofAccounts } = this.#memory
    const ofAccount = (ofAccounts.get(this.#accountId) ?? 0) + bytes
    if (ofAccount > 0) ofAccounts.set(this.#accountId, ofAccount)
    else ofAccounts.delete(this.#accountId)
    this.#own += bytes
    this.#memory.taken += bytes
  }
}
