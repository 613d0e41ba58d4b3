import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/**
 * Counts failures of a channel or key, so that a single one need not disable it
 * (docs/reference/selection.md#should-disable-rule). Each of several nodes counts its own failures.
 */
export interface FailureWindow {
  /** Counts a failure; returns whether there are `needed` failures within `minutes` and, if so, resets the count. */
  enough(target: Readonly<{ id: number; keyId: string }>, needed: number, minutes: number): MaybePromise<boolean>
}

/** Max channels and keys stored; eviction only delays disabling. */
const MAX = 10_000

export function createFailureWindow(clock: Clock): FailureWindow {
  const times = new LRUCache<string, number[]>({ ...upTo(MAX) })
  return {
    enough({ id, keyId }, needed, minutes) {
      if (needed <= 1) return true
      const key = `${id} ${keyId}`
      const now = clock.monotonic()
      const recent = (times.get(key) ?? []).filter((time) => now - time < minutes * 60_000)
      recent.push(now)
      if (recent.length >= needed) return times.delete(key) || true
      times.set(key, recent)
      return false
    },
  }
}
