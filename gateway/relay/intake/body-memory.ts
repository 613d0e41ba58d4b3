import { refuse } from '../../base/errors.ts'
import type { Owner } from '../model/request-context.ts'

/**
 * What the bodies of all requests under way may take together, from their first byte to the end of their answer, and what
 * has come of sockets' frames that are not whole.
 */
export interface BodyMemory {
  /** The part of one request or socket, which goes back when it is over, whatever way. */
  roomFor(owner: Owner): Room
  /** Bytes that are taken. */
  readonly taken: number
}

/** What one request takes. */
export interface Room {
  /** Makes room for so many bytes in all; refuses (`unavailable`) where others have too much. */
  grow(bytes: number): void
  /** Gives everything back before the end. */
  giveBack(): void
}

/** Small bodies are bounded by how many requests there are at once, and not counted. */
const UNCOUNTED = 64 * 1024
const RETRY_SECONDS = 2

/** At most `mostBytes` over all requests. */
export function createBodyMemory(mostBytes: number): BodyMemory {
  const memory = { taken: 0 }
  return {
    roomFor: (owner) => new OwnedRoom(memory, mostBytes, owner),
    get taken() {
      return memory.taken
    },
  }
}

class OwnedRoom implements Room {
  readonly #memory: { taken: number }
  readonly #most: number
  readonly #owner: Owner
  #own = 0
  #isHeard = false

  constructor(memory: { taken: number }, most: number, owner: Owner) {
    this.#memory = memory
    this.#most = most
    this.#owner = owner
  }

  grow(bytes: number): void {
    if (bytes <= UNCOUNTED || bytes <= this.#own || this.#owner.closed) return
    const more = bytes - this.#own
    if (this.#memory.taken + more > this.#most)
      throw refuse('unavailable', 'relay.bodiesBusy', {}, { retryAfterSeconds: RETRY_SECONDS })
    if (!this.#isHeard) this.#owner.once('close', () => this.giveBack())
    this.#isHeard = true
    this.#own = bytes
    this.#memory.taken += more
  }

  giveBack(): void {
    this.#memory.taken -= this.#own
    this.#own = 0
  }
}
