import { LRUCache } from 'lru-cache'
import { sha256 } from '../../../base/ids.ts'
import { lruLife, upTo } from '../../../base/lru.ts'
import type { Usage } from '../../../billing/usage.ts'

/** The last known prompts of Live sessions that can be resumed (docs/reference/streams.md#live-sessions). */
export interface LiveHandles {
  note(accountId: number, handle: string, context: Usage): void
  contextOf(accountId: number, handle: string): Usage | undefined
}

/** Max handles remembered for one account; an account that creates more evicts only its own. */
const MAX_PER_ACCOUNT = 64
const MAX_ACCOUNTS = 1000
/** How long a vendor accepts a handle (Gemini API, "Session management with Live API", "Session resumption"). */
const LIFE_MS = 2 * 3_600_000

/** `monotonic` returns milliseconds. */
export function createLiveHandles(monotonic: () => number): LiveHandles {
  const accounts = new LRUCache<number, LRUCache<string, Usage>>(upTo(MAX_ACCOUNTS))
  const openFor = (accountId: number) => {
    const known = accounts.get(accountId)
    if (known) return known
    const opened = new LRUCache<string, Usage>({ ...upTo(MAX_PER_ACCOUNT), ...lruLife(LIFE_MS, monotonic) })
    accounts.set(accountId, opened)
    return opened
  }
  return {
    note: (accountId, handle, context) => void openFor(accountId).set(sha256(handle), context),
    contextOf: (accountId, handle) => accounts.get(accountId)?.get(sha256(handle)),
  }
}
