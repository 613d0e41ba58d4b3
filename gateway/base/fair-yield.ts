import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Long work yields between its pieces. One piece runs in each iteration of the event loop, so that many together block
 * no longer than one; accounts take turns, so that the work of one account delays another's by one piece at a time.
 */
const accountOf = new AsyncLocalStorage<number>()

/** Pending pieces by account (0 for none), the account that ran longest ago first. */
const pending = new Map<number, (() => void)[]>()

/** Attributes the rest of the current request's work to this account. */
export const workFor = (accountId: number): void => accountOf.enterWith(accountId)

/**
 * Binds a function to the current account, for callers outside its requests, such as socket listeners. Not with
 * `AsyncLocalStorage.bind`, whose function has a getter of its own: each would get a separate hidden class, which keeps
 * the whole request in memory until the next full collection (docs/decisions/2026-11-21-requests-die-young.md).
 */
export function boundToAccount<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const accountId = accountOf.getStore() ?? 0
  return (...args) => accountOf.run(accountId, work, ...args)
}

/** Resolves after pending events, after earlier work of the same account, and after a piece of each other account. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => {
    const accountId = accountOf.getStore() ?? 0
    const own = pending.get(accountId)
    if (own) return void own.push(resolve)
    pending.set(accountId, [resolve])
    if (pending.size === 1) setImmediate(resumeNext)
  })
}

function resumeNext(): void {
  for (const [accountId, pieces] of pending) {
    pending.delete(accountId)
    const resume = pieces.shift()
    if (pieces.length > 0) pending.set(accountId, pieces)
    resume?.()
    break
  }
  if (pending.size > 0) setImmediate(resumeNext)
}

/** Items mapped before yielding: some microseconds each, a few milliseconds together. */
const PIECES = 200

/** Maps items in order and yields after every `pieces` of them. */
export async function mapYielding<T, U>(items: Iterable<T>, work: (item: T) => U, pieces = PIECES): Promise<U[]> {
  const results: U[] = []
  for (const item of items) {
    results.push(work(item))
    if (results.length % pieces === 0) await yieldToOthers()
  }
  return results
}
