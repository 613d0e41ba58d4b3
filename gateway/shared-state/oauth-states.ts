import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/ids.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/** A login that has begun at a provider and has not come back. */
export type BegunLogin = Readonly<{
  /** The only one that it may come back from; null where whoever began it did not say. */
  provider: string | null
  /** SHA-256 of what the browser keeps, so that no other one can come back with it. */
  browser: string
  /** Who was logged in when it began, and will be bound by it; 0 for a visitor. */
  userId: number
  inviteCode: string
  /** The code of a link of invitation by which one came; empty without one. */
  invitation: string
  /** Scheme, host and port of the console that the browser comes back to. */
  origin: string
  /** Of a login with PKCE (RFC 7636) and nonce; null where the request carried neither. */
  proof: Readonly<{ verifier: string; nonce: string }> | null
}>

/** Logins under way, by their state (docs/reference/accounts.md#sign-in-by-others). */
export interface OauthStates {
  put(state: string, login: BegunLogin): MaybePromise<void>
  /** What began with this state; it is forgotten by being asked for. */
  take(state: string): MaybePromise<BegunLogin | undefined>
}

/** Seconds in which somebody must have come back. */
export const LOGIN_SECONDS = 600
const MAX_KEPT = 10_000

/** Those of one process: a restart forgets them, and people begin again. */
export function createOauthStates(clock: Pick<Clock, 'monotonic'>): OauthStates {
  const life = lruLife(LOGIN_SECONDS * 1000, () => clock.monotonic())
  const begun = new LRUCache<string, BegunLogin>({ ...upTo(MAX_KEPT), ...life })
  return {
    put: (state, login) => void begun.set(sha256(state), login),
    take(state) {
      const key = sha256(state)
      const found = begun.get(key)
      begun.delete(key)
      return found
    },
  }
}
