import type { Context } from 'koa'
import { refuse } from '../../base/errors.ts'

const ALL_BYTES = 256 * 1024 * 1024
/** Shorter answers are not counted: an address has so many connections at most. */
const MIN_BYTES = 256 * 1024

/**
 * The memory of long answers of the console's API that their callers have not taken yet (docs/reference/limits.md#connections).
 * An account, or an address where nobody is signed in, takes no more than it leaves free for others.
 */
interface AnswerRoom {
  /** Counts an answer until its connection is done with it; refuses one that has no room as `limited`. */
  require(ctx: Context): void
}

/** A room of `all` bytes. */
export function createAnswerRoom(all = ALL_BYTES): AnswerRoom {
  const held = new Map<string, number>()
  let total = 0
  const change = (whose: string, bytes: number) => {
    const own = (held.get(whose) ?? 0) + bytes
    total += bytes
    if (own > 0) held.set(whose, own)
    else held.delete(whose)
  }
  return {
    require({ body, state, res }) {
      const bytes = Buffer.isBuffer(body) ? body.length : 0
      // A caller that has gone holds nothing, and its end is not told again.
      if (bytes < MIN_BYTES || res.destroyed) return
      const whose = state.accountId === undefined ? `from ${state.origin.ip}` : `of ${state.accountId}`
      if ((held.get(whose) ?? 0) + bytes > all - total - bytes)
        throw refuse('limited', 'read.busy', {}, { retryAfterSeconds: 5 })
      change(whose, bytes)
      res.once('close', () => change(whose, -bytes))
    },
  }
}
