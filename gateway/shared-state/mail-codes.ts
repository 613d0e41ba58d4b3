import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { isSameSecret, sha256 } from '../base/ids.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/** Minutes for which a code that was sent by mail holds. */
export const CODE_MINUTES = 10
const MAX_KEPT = 10_000

/**
 * Codes on their way by mail, one for each purpose and address: a new one takes the place of the one before
 * (docs/reference/accounts.md#codes-by-mail).
 */
export interface MailCodes {
  /** Keeps it; after so many wrong ones there is none. */
  put(purpose: string, address: string, code: string, tries: number): MaybePromise<void>
  /** Whether this is the code; the right one is used up by it. */
  take(purpose: string, address: string, given: string): MaybePromise<boolean>
}

type Kept = { code: string; left: number }

/** Codes of one process: a restart forgets them, and people ask for another. */
export function createMailCodes(clock: Pick<Clock, 'monotonic'>): MailCodes {
  const kept = new LRUCache<string, Kept>({
    ...upTo(MAX_KEPT),
    ...lruLife(CODE_MINUTES * 60_000, () => clock.monotonic()),
  })
  const keyOf = (purpose: string, address: string) => sha256(`${purpose} ${address}`)
  return {
    put: (purpose, address, code, tries) => void kept.set(keyOf(purpose, address), { code, left: tries }),
    take(purpose, address, given) {
      const key = keyOf(purpose, address)
      const found = kept.get(key)
      if (!found) return false
      found.left -= 1
      const isRight = isSameSecret(given, found.code)
      if (isRight || found.left <= 0) kept.delete(key)
      return isRight
    },
  }
}
