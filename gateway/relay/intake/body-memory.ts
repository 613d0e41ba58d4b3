import { refuse } from '../../base/errors.ts'
import type { Owner } from '../model/request-context.ts'

/**
 * What the bodies of all requests under way may take together, from their first byte to the end of their answer, and what
 * has come of sockets' frames that are not whole.
 */
export interface BodyMemory {
  /** The part of one request or socket of an account (0 of nobody's), which goes back when it is over, whatever way. */
  roomFor(owner: Owner, accountId: number): Room
  /** Bytes that are taken. */
  readonly taken: number
}

/** What one request takes. */
export interface Room {
  /** Makes room for so many bytes in all; refuses (`unavailable`) where others, or the account's other requests, have too much. */
  grow(bytes: number): void
  /** Gives everything back before the end. */
  giveBack(): void
}

/** Small bodies are bounded by how many requests there are at once, and not counted. */
const UNCOUNTED = 64 * 1024
const RETRY_SECONDS = 2

type Memory = { taken: number; readonly max: number; readonly ofAccounts: Map<number, number> }

/** At most `mostBytes` over all requests. No account takes more than it leaves free, but for the only body under way. */
export function createBodyMemory(maxBytes: number): BodyMemory {
  const memory: Memory = { taken: 0, max: maxBytes, ofAccounts: new Map() }
  return {
    roomFor: (owner, accountId) => new OwnedRoom(memory, owner, accountId),
    get taken() {
      return memory.taken
    },
  }
}

class OwnedRoom implements Room {
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
