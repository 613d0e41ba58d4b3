import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/ids.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/** A passkey ceremony in progress: login, adding a passkey to an account, or registration with one. */
export type PasskeyChallenge = Readonly<{
  purpose: 'login' | 'add' | 'register'
  /** SHA-256 of a value that the browser stores, so that no other browser can complete it. */
  browser: string
  /** The account that gets the passkey; 0 for a visitor. */
  userId: number
  /** The user handle that the passkey will have; empty for a login. */
  userHandle: string
  /** Scheme, host and port of the page; `rpId` is its host name only. */
  origin: string
  rpId: string
}>

/** Ceremonies in progress, by challenge (docs/reference/accounts.md#passkeys). */
export interface PasskeyChallenges {
  put(challenge: string, ceremony: PasskeyChallenge): MaybePromise<void>
  /** Returns and deletes the ceremony. */
  take(challenge: string): MaybePromise<PasskeyChallenge | undefined>
}

/** Milliseconds within which the user must complete the ceremony. */
export const CHALLENGE_MS = 300_000
const MAX_ENTRIES = 10_000

/** In memory. Lost on restart; users then start again. */
export function createPasskeyChallenges(clock: Pick<Clock, 'monotonic'>): PasskeyChallenges {
  const ttl = lruLife(CHALLENGE_MS, () => clock.monotonic())
  const ceremonies = new LRUCache<string, PasskeyChallenge>({ ...upTo(MAX_ENTRIES), ...ttl })
  return {
    put: (challenge, one) => void ceremonies.set(sha256(challenge), one),
    take(challenge) {
      const key = sha256(challenge)
      const found = ceremonies.get(key)
      ceremonies.delete(key)
      return found
    },
  }
}
