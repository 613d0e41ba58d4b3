import { refuse } from '../../base/errors.ts'
import { type LimitedCaller, shareOf } from '../../limits/request-limits.ts'

const MAX_PER_USER = 50
const MAX_TOTAL = 1000

export interface ConnectionLimits {
  /** Takes a slot for a caller's account; call the returned function to release it. Throws if none is left. */
  take(caller: LimitedCaller): () => void
  /** Refuses all further sockets: the gateway is stopping. */
  close(): void
}

/** Bounds sockets, because each holds memory while it is open. */
export function createConnectionLimits(): ConnectionLimits {
  const byUser = new Map<number, number>()
  let taken = 0
  let isClosed = false
  return {
    take(caller) {
      if (isClosed) throw refuse('unavailable', 'relay.stopping', {}, { retryAfterSeconds: 5 })
      const userId = caller.account.id
      const own = byUser.get(userId) ?? 0
      const count = shareOf(caller, MAX_PER_USER)
      if (own >= count) throw refuse('limited', 'relay.tooManySockets', { count }, { code: 'too_many_sockets' })
      if (taken >= MAX_TOTAL) throw refuse('unavailable', 'relay.overloaded', {}, { retryAfterSeconds: 5 })
      byUser.set(userId, own + 1)
      taken += 1
      let open = true
      return () => {
        if (!open) return
        open = false
        taken -= 1
        const left = (byUser.get(userId) ?? 1) - 1
        if (left > 0) byUser.set(userId, left)
        else byUser.delete(userId)
      }
    },
    close() {
      isClosed = true
    },
  }
}
