import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { isSameSecret, sha256 } from '../base/ids.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/** Minutes for which a mailed code is valid. */
export const CODE_MINUTES = 10
const MAX_CODES = 10_000

/**
 * Mailed codes, one per purpose and address; a new code replaces the previous one
 * (docs/reference/accounts.md#mail-codes).
 */
export interface MailCodes {
  /** Stores a code; it is deleted after `tries` wrong attempts. */
  put(purpose: string, address: string, code: string, tries: number): MaybePromise<void>
  /** Returns whether the code is correct; a correct code is used up. */
  take(purpose: string, address: string, given: string): MaybePromise<boolean>
}

type StoredCode = { code: string; left: number }

/** In memory. Lost on restart; users then request another code. */
export function createMailCodes(clock: Pick<Clock, 'monotonic'>): MailCodes {
  const codes = new LRUCache<string, StoredCode>({
    ...upTo(MAX_CODES),
    ...lruLife(CODE_MINUTES * 60_000, () => clock.monotonic()),
  })
  const keyOf = (purpose: string, address: string) => sha256(`${purpose} ${address}`)
  return {
    put: (purpose, address, code, tries) => void codes.set(keyOf(purpose, address), { code, left: tries }),
    take(purpose, address, given) {
      const key = keyOf(purpose, address)
      const found = codes.get(key)
      if (!found) return false
      found.left -= 1
      const isCorrect = isSameSecret(given, found.code)
      if (isCorrect || found.left <= 0) codes.delete(key)
      return isCorrect
    },
  }
}
