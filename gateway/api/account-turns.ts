import pLimit, { type LimitFunction } from 'p-limit'
import { refuse } from '../base/errors.ts'

const AT_ONCE = 2
const WAITING = 20

/**
 * Work that a whole installation waits for, a few at once for each account, the rest in turn; beyond that it is refused as
 * `limited`. So one account cannot fill the queue of the reader thread (docs/reference/tables.md#who-reads).
 */
export function createAccountTurns() {
  const turns = new Map<number, LimitFunction>()
  return async <T>(account: number, work: () => Promise<T>): Promise<T> => {
    const own = turns.get(account) ?? pLimit(AT_ONCE)
    if (own.pendingCount >= WAITING) throw refuse('limited', 'read.busy')
    turns.set(account, own)
    try {
      return await own(work)
    } finally {
      if (own.activeCount + own.pendingCount === 0) turns.delete(account)
    }
  }
}
