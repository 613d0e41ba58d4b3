import { setImmediate as nextIteration, setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { createFairQueue } from '../base/fair-queue.ts'

/** The right to read synchronously from the ledger, which blocks the event loop. */
export interface ReadTurn {
  /** Call it between two reads: undefined if the turn continues, otherwise resolves in the account's next turn. */
  next(): Promise<void> | undefined
  end(): void
}

/** For a database in another process, whose reads need no turns. */
export const noTurns: ReadTurn = { next: () => undefined, end: () => {} }

const TURN_MS = 2
const MAX_PAUSE_MS = 1000

/**
 * Grants turns of about two milliseconds, alternating between accounts. All turns of one iteration of the event loop
 * take as long together; a single read that takes longer is followed by a pause of its length.
 */
export function createReadTurns({ monotonic }: Pick<Clock, 'monotonic'>): (accountId: number) => Promise<ReadTurn> {
  const queue = createFairQueue(1, Number.POSITIVE_INFINITY)
  /** Time used in this iteration by turns that have ended, and the start of the current turn. */
  let usedMs = 0
  let startedMs = 0
  const begin = async (accountId: number): Promise<() => void> => {
    const leave = await queue.take(accountId)
    if (usedMs >= TURN_MS) {
      await (usedMs < 2 * TURN_MS ? nextIteration() : pause(Math.min(usedMs, MAX_PAUSE_MS)))
      usedMs = 0
    }
    startedMs = monotonic()
    return () => {
      usedMs += monotonic() - startedMs
      leave()
    }
  }
  return async (accountId) => {
    let end = await begin(accountId)
    return {
      next() {
        if (usedMs + monotonic() - startedMs < TURN_MS) return undefined
        end()
        end = () => {}
        return begin(accountId).then((ended) => {
          end = ended
        })
      },
      end: () => end(),
    }
  }
}
