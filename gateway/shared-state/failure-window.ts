import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/**
 * Counts the failures of a channel or key, so that one such failure alone need not disable it
 * (docs/reference/selection.md#should-disable-rule). Several nodes count together, and one of them alone is told of enough.
 */
export interface FailureWindow {
  /** Notes one; answers whether there are `needed` of them within these minutes, and begins again where there are. */
  enough(target: Readonly<{ id: number; keyId: string }>, needed: number, minutes: number): MaybePromise<boolean>
}

/** Channels and keys remembered; forgetting one only delays. */
const MAX = 10_000

/** In memory, over a clock. */
export function createFailureWindow(clock: Clock): FailureWindow {
  const times = new LRUCache<string, number[]>({ ...upTo(MAX) })
  return {
    enough({ id, keyId }, needed, minutes) {
      if (needed <= 1) return true
      const name = `${id} ${keyId}`
      const now = clock.monotonic()
      const recent = (times.get(name) ?? []).filter((time) => now - time < minutes * 60_000)
      recent.push(now)
      if (recent.length >= needed) return times.delete(name) || true
      times.set(name, recent)
      return false
    },
  }
}
