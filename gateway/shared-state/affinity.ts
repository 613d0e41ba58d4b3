import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/**
 * Which channel served a conversation last (docs/reference/selection.md#affinity): the vendor's prompt cache knows it
 * there. A preference, no promise: a channel that is gone, cooling down or failing is passed over, and the one that served
 * instead is remembered. Among several nodes asking must be over within some milliseconds and never fails: what is not
 * known in time is not known.
 */
export interface Affinity {
  /** The id of the channel that served last. */
  channelOf(conversation: string): MaybePromise<number | undefined>
  /** Remembered without anybody waiting for it. */
  served(conversation: string, channelId: number): void
}

const MAX_KEPT = 20_000
const TTL_MS = 3_600_000

/** Remembers 20,000 conversations of this process for an hour after their last request. */
export function createAffinity(clock: Clock): Affinity {
  const served = new LRUCache<string, number>({ ...upTo(MAX_KEPT), ...lruLife(TTL_MS, () => clock.monotonic()) })
  return {
    channelOf: (conversation) => served.get(conversation),
    served: (conversation, channelId) => void served.set(conversation, channelId),
  }
}
