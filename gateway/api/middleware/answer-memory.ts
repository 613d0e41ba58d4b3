import type { Context } from 'koa'
import { refuse } from '../../base/errors.ts'
import type { ReadMemory } from '../../base/row-steps.ts'

const ALL_BYTES = 256 * 1024 * 1024
/** Shorter responses are not counted: the number of connections per address bounds them. */
const MIN_BYTES = 256 * 1024

/**
 * Memory budget of long responses of the console's API, from reading their rows until their callers have read them
 * (docs/reference/limits.md#connections). An account, or the address of callers who are not logged in, may hold at most
 * as much memory as remains free for everyone else.
 */
interface AnswerMemory {
  /**
   * The share of one response; `grow` throws `limited` if the budget is exceeded. Released only once the connection is
   * closed and the call has ended: a call may still read rows after its caller has disconnected.
   */
  shareOf(ctx: Context): ReadMemory & Readonly<{ end(): void }>
}

export function createAnswerMemory(all = ALL_BYTES): AnswerMemory {
  const bytesByOwner = new Map<string, number>()
  let total = 0
  const change = (whose: string, bytes: number) => {
    const own = (bytesByOwner.get(whose) ?? 0) + bytes
    total += bytes
    if (own > 0) bytesByOwner.set(whose, own)
    else bytesByOwner.delete(whose)
  }
  return {
    shareOf({ state, res }) {
      let taken = 0
      let whose = ''
      let hasEnded = false
      const release = () => {
        if (!hasEnded || !res.destroyed || taken === 0) return
        change(whose, -taken)
        taken = 0
      }
      return {
        grow(bytes) {
          const more = bytes - taken
          if (bytes < MIN_BYTES || more <= 0) return
          if (taken === 0) whose = state.accountId === undefined ? `from ${state.origin.ip}` : `of ${state.accountId}`
          if ((bytesByOwner.get(whose) ?? 0) + more > all - total - more)
            throw refuse('limited', 'read.busy', {}, { retryAfterSeconds: 5 })
          if (taken === 0) res.once('close', release)
          change(whose, more)
          taken = bytes
        },
        end() {
          hasEnded = true
          release()
        },
      }
    },
  }
}
