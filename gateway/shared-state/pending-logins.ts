import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { sha256 } from '../base/ids.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/** Somebody who has shown the first factor: which account, by which way, and the SHA-256 of what was stored of its password. */
export type PendingLogin = Readonly<{
  userId: number
  way: string
  password: string
  /** The row of it in the history, an attempt until the second factor has come. */
  attempt: number | undefined
}>

/** Logins that wait for their second factor, by what the browser keeps (docs/reference/accounts.md#two-factors). */
export interface PendingLogins {
  put(mark: string, login: PendingLogin): MaybePromise<void>
  find(mark: string): MaybePromise<PendingLogin | undefined>
  drop(mark: string): MaybePromise<void>
}

const LIFE_MS = 300_000
const MAX_KEPT = 10_000

/** Those of one process, for five minutes each: a restart forgets them, and people log in again. */
export function createPendingLogins(clock: Pick<Clock, 'monotonic'>): PendingLogins {
  const life = lruLife(LIFE_MS, () => clock.monotonic())
  const waiting = new LRUCache<string, PendingLogin>({ ...upTo(MAX_KEPT), ...life })
  return {
    put: (mark, login) => void waiting.set(sha256(mark), login),
    find: (mark) => waiting.get(sha256(mark)),
    drop: (mark) => void waiting.delete(sha256(mark)),
  }
}
