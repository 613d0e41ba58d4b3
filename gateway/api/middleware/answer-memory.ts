import type { Context } from 'koa'
import { refuse } from '../../base/errors.ts'

const ALL_BYTES = 256 * 1024 * 1024
/** Shorter responses are not counted: the number of connections per address bounds them. */
const MIN_BYTES = 256 * 1024

/**
 * Memory budget of long responses of the console's API that their callers have not read yet
 * (docs/reference/limits.md#connections). An account, or an address without login, may take no more than it leaves
 * free.
 */
interface AnswerMemory {
  /** Counts a response until its connection is done with it; throws `limited` if the budget is exceeded. */
  require(ctx: Context): void
}

/** `all` is the budget in bytes. */
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
    require({ body, state, res }) {
      const bytes = Buffer.isBuffer(body) ? body.length : 0
      // A disconnected caller holds nothing, and its `close` event has already fired.
      if (bytes < MIN_BYTES || res.destroyed) return
      const whose = state.accountId === undefined ? `from ${state.origin.ip}` : `of ${state.accountId}`
      if ((bytesByOwner.get(whose) ?? 0) + bytes > all - total - bytes)
        throw refuse('limited', 'read.busy', {}, { retryAfterSeconds: 5 })
      change(whose, bytes)
      res.once('close', () => change(whose, -bytes))
    },
  }
}
