/**
 * Lets a few in at a time. No account has more turns, or more places to wait for one, than it leaves free for all others;
 * accounts that wait come in turn, the calls of each in the order they came.
 */
export interface FairTurns {
  /**
   * Resolves, when it is the account's turn, with what ends it (to be called once). Rejects with the signal's reason when
   * that ends first, and with `TooManyWaiting` when the account may have no more that wait.
   */
  take(accountId: number, signal?: AbortSignal): Promise<() => void>
}

/** Thrown to who finds no place to wait. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'
}

/** What one account has. */
type Share = { busy: number; readonly waiting: (() => void)[] }

/** At most `most` at once and `mostWaiting` that wait: half of either for an account that is the only one. */
export function createFairTurns(max: number, maxWaiting: number): FairTurns {
  /** Who began or ended a turn longest ago stands first; who has none and waits for none does not stand here. */
  const shares = new Map<number, Share>()
  let busy = 0
  const mayEnter = (share: Share) => share.busy < max - busy
  const letIn = (accountId: number, share: Share) => {
    shares.delete(accountId)
    shares.set(accountId, share)
    share.busy += 1
    busy += 1
  }
  const letOneIn = (): boolean => {
    for (const [accountId, share] of shares) {
      const [enter] = share.waiting
      if (!enter || !mayEnter(share)) continue
      letIn(accountId, share)
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
    while (letOneIn());
    forgetIdle(accountId, share)
  }
  return {
    async take(accountId, signal) {
      signal?.throwIfAborted()
      const share = shares.get(accountId) ?? { busy: 0, waiting: [] }
      if (mayEnter(share)) {
        letIn(accountId, share)
      } else {
        if (share.waiting.length >= maxWaiting - waitingIn(shares)) throw new TooManyWaiting('too many are waiting')
        shares.set(accountId, share)
        await inLine(share.waiting, signal, () => forgetIdle(accountId, share))
      }
      return () => end(accountId, share)
    },
  }
}

const waitingIn = (shares: ReadonlyMap<number, Share>): number =>
  [...shares.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)

/** Until one is let in; `onLeave` hears of who leaves before that. */
function inLine(waiting: (() => void)[], signal: AbortSignal | undefined, onLeave: () => void): Promise<void> {
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
