import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/ids.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/** A login whose first factor is verified: the account, the login method, and the SHA-256 of its stored password. */
export type PendingLogin = Readonly<{
  userId: number
  method: string
  password: string
  /** Id of its row in the login history, which counts as an attempt until the second factor is verified. */
  attempt: number | undefined
}>

/**
 * Logins waiting for their second factor, by a value that the browser stores (docs/reference/accounts.md#two-factors).
 */
export interface PendingLogins {
  put(mark: string, login: PendingLogin): MaybePromise<void>
  find(mark: string): MaybePromise<PendingLogin | undefined>
  drop(mark: string): MaybePromise<void>
}

export const PENDING_MS = 300_000
const MAX_ENTRIES = 10_000

/** In memory, with a TTL of five minutes. Lost on restart; users then log in again. */
export function createPendingLogins(clock: Pick<Clock, 'monotonic'>): PendingLogins {
  const life = lruLife(PENDING_MS, () => clock.monotonic())
  const logins = new LRUCache<string, PendingLogin>({ ...upTo(MAX_ENTRIES), ...life })
  return {
    put: (mark, login) => void logins.set(sha256(mark), login),
    find: (mark) => logins.get(sha256(mark)),
    drop: (mark) => void logins.delete(sha256(mark)),
  }
}
