import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/ids.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/** A login that was started at a provider and has not returned. */
export type StartedLogin = Readonly<{
  /** The only provider from which it may return; null if the login did not name one. */
  provider: string | null
  /** SHA-256 of a value that the browser stores, so that no other browser can complete the login. */
  browser: string
  /** The user who was logged in at the start and gets the binding; 0 for a visitor. */
  userId: number
  inviteCode: string
  /** The code of the invitation link that was used; empty if none. */
  invitation: string
  /** Scheme, host and port of the console to return to. */
  origin: string
  /** PKCE verifier (RFC 7636) and nonce of the login; null if the request had neither. */
  proof: Readonly<{ verifier: string; nonce: string }> | null
}>

/** Logins in progress, by OAuth state (docs/reference/accounts.md#login-providers). */
export interface OauthStates {
  put(state: string, login: StartedLogin): MaybePromise<void>
  /** Returns and deletes the login. */
  take(state: string): MaybePromise<StartedLogin | undefined>
}

/** Seconds within which the user must return. */
export const LOGIN_SECONDS = 600
const MAX_ENTRIES = 10_000

/** In memory. Lost on restart; users then start again. */
export function createOauthStates(clock: Pick<Clock, 'monotonic'>): OauthStates {
  const ttl = lruLife(LOGIN_SECONDS * 1000, () => clock.monotonic())
  const logins = new LRUCache<string, StartedLogin>({ ...upTo(MAX_ENTRIES), ...ttl })
  return {
    put: (state, login) => void logins.set(sha256(state), login),
    take(state) {
      const key = sha256(state)
      const found = logins.get(key)
      logins.delete(key)
      return found
    },
  }
}
