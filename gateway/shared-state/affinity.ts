import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'

/**
 * The channel that last served a conversation, whose provider may have its prompt cached
 * (docs/reference/selection.md#affinity). A preference only: a channel that was deleted, is cooling down or fails is
 * skipped, and the one that served instead is stored. With several nodes a lookup returns within milliseconds and never
 * fails; a late result counts as unknown.
 */
export interface Affinity {
  channelOf(conversation: string): MaybePromise<number | undefined>
  /** Stored without waiting for the result. */
  served(conversation: string, channelId: number): void
}

const MAX_CONVERSATIONS = 20_000
/** A conversation is forgotten this long after its last request. */
export const AFFINITY_MS = 3_600_000

/** Stores conversations of this process for an hour after their last request. */
export function createAffinity(clock: Clock): Affinity {
  const served = new LRUCache<string, number>({
    ...upTo(MAX_CONVERSATIONS),
    ...lruLife(AFFINITY_MS, () => clock.monotonic()),
  })
  return {
    channelOf: (conversation) => served.get(conversation),
    served: (conversation, channelId) => void served.set(conversation, channelId),
  }
}
