/**
 * Limits concurrency fairly. No account gets more slots, or more waiting positions, than it leaves free for all others.
 * Waiting accounts are served round-robin, each account's calls in order.
 */
export interface FairQueue {
  /**
   * Resolves when a slot is free, with the function that releases it (call it once). Rejects with the signal's reason
   * if it aborts first, and with `TooManyWaiting` if the account may not queue more calls.
   */
  take(accountId: number, signal?: AbortSignal): Promise<() => void>
}

export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'
}

type Share = { busy: number; readonly waiting: (() => void)[] }

/**
 * Allows `max` concurrent calls and `maxWaiting` queued ones; a single account gets at most half of either, rounded up.
 */
export function createFairQueue(max: number, maxWaiting: number): FairQueue {
  /** Ordered by when an account last started or ended a call, the longest ago first; contains no idle accounts. */
  const shares = new Map<number, Share>()
  let busy = 0
  let queued = 0
  const mayEnter = (share: Share) => share.busy < max - busy
  const admit = (accountId: number, share: Share) => {
    shares.delete(accountId)
    shares.set(accountId, share)
    share.busy += 1
    busy += 1
  }
  const admitOne = (): boolean => {
    for (const [accountId, share] of shares) {
      const [enter] = share.waiting
      if (!enter || !mayEnter(share)) continue
      admit(accountId, share)
      queued -= 1
      enter()
      return true
    }
    return false
  }
  const forgetIdle = (accountId: number, share: Share) => {
    if (share.busy === 0 && share.waiting.length === 0) shares.delete(accountId)
  }
  const end = (accountId: number, share: Share) => {
    share.busy -= 1
    busy -= 1
    shares.delete(accountId)
    shares.set(accountId, share)
    while (admitOne());
    forgetIdle(accountId, share)
  }
  return {
    async take(accountId, signal) {
      signal?.throwIfAborted()
      const share = shares.get(accountId) ?? { busy: 0, waiting: [] }
      if (mayEnter(share)) {
        admit(accountId, share)
      } else {
        if (share.waiting.length >= maxWaiting - queued) throw new TooManyWaiting('too many are waiting')
        shares.set(accountId, share)
        queued += 1
        await waitInLine(share.waiting, signal, () => {
          queued -= 1
          forgetIdle(accountId, share)
        })
      }
      return () => end(accountId, share)
    },
  }
}

/** Resolves when admitted; calls `onLeave` if the signal aborts first. */
function waitInLine(waiting: (() => void)[], signal: AbortSignal | undefined, onLeave: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stepOut = () => {
      waiting.splice(waiting.indexOf(enter), 1)
      signal?.removeEventListener('abort', leave)
    }
    const leave = () => {
      stepOut()
      onLeave()
      reject(signal?.reason)
    }
    const enter = () => {
      stepOut()
      resolve()
    }
    signal?.addEventListener('abort', leave, { once: true })
    waiting.push(enter)
  })
}
