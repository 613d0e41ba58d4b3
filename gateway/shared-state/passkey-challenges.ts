import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/ids.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/** What somebody has begun with a passkey: to log in, to add one to an account, to register with one. */
export type PasskeyChallenge = Readonly<{
  purpose: 'login' | 'add' | 'register'
  /** SHA-256 of what the browser keeps, so that no other one can end it. */
  browser: string
  /** Whose the passkey will be; 0 for a visitor. */
  userId: number
  /** By what the passkey will name its account; empty for a login. */
  userHandle: string
  /** Scheme, host and port of the page, and the host name by itself. */
  origin: string
  rpId: string
}>

/** Challenges under way, by themselves (docs/reference/accounts.md#passkeys). */
export interface PasskeyChallenges {
  put(challenge: string, begun: PasskeyChallenge): MaybePromise<void>
  /** What began with this challenge; it is forgotten by being asked for. */
  take(challenge: string): MaybePromise<PasskeyChallenge | undefined>
}

/** Milliseconds in which somebody must have come back. */
export const CHALLENGE_MS = 300_000
const MAX_KEPT = 10_000

/** Those of one process: a restart forgets them, and people begin again. */
export function createPasskeyChallenges(clock: Pick<Clock, 'monotonic'>): PasskeyChallenges {
  const life = lruLife(CHALLENGE_MS, () => clock.monotonic())
  const begun = new LRUCache<string, PasskeyChallenge>({ ...upTo(MAX_KEPT), ...life })
  return {
    put: (challenge, one) => void begun.set(sha256(challenge), one),
    take(challenge) {
      const key = sha256(challenge)
      const found = begun.get(key)
      begun.delete(key)
      return found
    },
  }
}
