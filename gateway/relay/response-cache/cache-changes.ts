import { LRUCache } from 'lru-cache'
import { upTo } from '../../base/lru.ts'
import { type KeptOf, ownerOf } from './cached-answers.ts'

/**
 * Tracks which active responses may no longer be cached because something that they depend on has changed since they
 * began.
 */
interface CacheChanges {
  now(): number
  note(whose: KeptOf): void
  noteAll(): void
  /** Whether a token or its account changed after the change with number `since`. */
  haveCome(since: number, tokenId: number, userId: number): boolean
}

/**
 * Max tokens and accounts tracked; an evicted one is treated as changed for every response that began before its
 * change.
 */
const MAX = 10_000

export function createCacheChanges(): CacheChanges {
  let last = 0
  let ofAll = 0
  const changes = new LRUCache<string, number>({
    ...upTo(MAX),
    dispose(change, _, reason) {
      if (reason === 'evict') ofAll = Math.max(ofAll, change)
    },
  })
  const lastOf = (whose: KeptOf): number => changes.get(ownerOf(whose)) ?? 0
  return {
    now: () => last,
    note(whose) {
      last += 1
      changes.set(ownerOf(whose), last)
    },
    noteAll() {
      last += 1
      ofAll = last
    },
    haveCome: (since, tokenId, userId) => Math.max(ofAll, lastOf({ tokenId }), lastOf({ userId })) > since,
  }
}
