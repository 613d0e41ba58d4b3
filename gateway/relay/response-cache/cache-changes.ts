import { LRUCache } from 'lru-cache'
import { upTo } from '../../base/lru.ts'
import { type KeptOf, ownerOf } from './kept-answers.ts'

/** Which answers under way may no longer be kept, since what they follow from was changed after they had begun. */
interface CacheChanges {
  /** The number of the last change so far. */
  now(): number
  /** Something of one token or account was changed. */
  note(whose: KeptOf): void
  /** Everything was. */
  noteAll(): void
  /** Whether anything of a token and its account was changed behind a number. */
  haveCome(since: number, tokenId: number, userId: number): boolean
}

/** Tokens and accounts remembered at once; where one is forgotten its change counts for all that began before it. */
const MAX = 10_000

/** Counts changes from 0. */
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
