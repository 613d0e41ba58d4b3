import type { ServerResponse } from 'node:http'
import { refuse } from '../../base/errors.ts'

/** What the bodies of all requests under way may take together, from their first byte to the end of their answer. */
export interface BodyMemory {
  /** The part of one request, which goes back when its answer is over, whatever way. */
  roomFor(response: ServerResponse): Room
  /** Bytes that are taken. */
  readonly taken: number
}

/** What one request takes. */
export interface Room {
  /** Makes room for so many bytes in all; refuses (`unavailable`) where others have too much. */
  grow(bytes: number): void
}

/** Small bodies are bounded by how many requests there are at once, and not counted. */
const UNCOUNTED = 64 * 1024
const RETRY_SECONDS = 2

/** At most `mostBytes` over all requests. */
export function createBodyMemory(mostBytes: number): BodyMemory {
  const memory = { taken: 0 }
  return {
    roomFor: (response) => new RequestRoom(memory, mostBytes, response),
    get taken() {
      return memory.taken
    },
  }
}

class RequestRoom implements Room {
  readonly #memory: { taken: number }
  readonly #most: number
  readonly #response: ServerResponse
  #own = 0

  constructor(memory: { taken: number }, most: number, response: ServerResponse) {
    this.#memory = memory
    this.#most = most
    this.#response = response
  }

  grow(bytes: number): void {
    if (bytes <= UNCOUNTED || bytes <= this.#own || this.#response.closed) return
    const more = bytes - this.#own
    if (this.#memory.taken + more > this.#most)
      throw refuse('unavailable', 'relay.bodiesBusy', {}, { retryAfterSeconds: RETRY_SECONDS })
    if (this.#own === 0) this.#response.once('close', () => this.#giveBack())
    this.#own = bytes
    this.#memory.taken += more
  }

  #giveBack(): void {
    this.#memory.taken -= this.#own
    this.#own = 0
  }
}
