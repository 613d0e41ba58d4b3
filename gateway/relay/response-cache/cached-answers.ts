import { LRUCache } from 'lru-cache'
import { lruLife } from '../../base/lru.ts'
import type { Usage } from '../../billing/usage.ts'

type Kept = Readonly<{
  userId: number
  tokenId: number
  sealed: Buffer
  head: Readonly<Record<string, string>>
  isStream: boolean
  usage: Usage
  sinceMs: number
}>

export type KeptOf = Readonly<{ tokenId: number }> | Readonly<{ userId: number }>

/** Cached responses by name, evicted least recently used first; those of one token or account are found by an index. */
export interface CachedAnswers {
  get(name: string): Kept | undefined
  /** Returns false if the response is too large to cache. */
  set(name: string, kept: Kept): boolean
  /** Removes the responses of one token or account; returns how many of them had not expired. */
  removeOf(whose: KeptOf): number
  purgeStale(): void
  readonly size: number
  readonly bytes: number
  readonly maxSize: number
}

/** Bytes of overhead per response, and the maximum number of responses. */
const OVERHEAD = 1024
const MAX_ANSWERS = 50_000

/** Holds up to `maxSize` bytes, each response for `ttlMs`; `monotonic` returns milliseconds. */
export function createCachedAnswers(maxSize: number, ttlMs: number, monotonic: () => number): CachedAnswers {
  const min = Math.ceil(maxSize / MAX_ANSWERS)
  const names = new Map<string, Set<string>>()
  const answers = new LRUCache<string, Kept>({
    maxSize,
    sizeCalculation: ({ sealed }) => Math.max(sealed.length + OVERHEAD, min),
    ...lruLife(ttlMs, monotonic),
    dispose(entry, name) {
      for (const owner of ownersOf(entry)) forget(owner, name)
    },
  })
  const forget = (owner: string, name: string) => {
    const own = names.get(owner)
    own?.delete(name)
    if (own?.size === 0) names.delete(owner)
  }
  return {
    get: (name) => answers.get(name),
    set(name, entry) {
      answers.set(name, entry)
      if (!answers.has(name)) return false
      for (const owner of ownersOf(entry)) names.set(owner, (names.get(owner) ?? new Set()).add(name))
      return true
    },
    removeOf(whose) {
      let removed = 0
      for (const name of [...(names.get(ownerOf(whose)) ?? [])]) {
        if (answers.has(name)) removed += 1
        answers.delete(name)
      }
      return removed
    },
    purgeStale: () => void answers.purgeStale(),
    get size() {
      return answers.size
    },
    get bytes() {
      return answers.calculatedSize
    },
    maxSize,
  }
}

const ownersOf = ({ tokenId, userId }: Kept): readonly string[] => [ownerOf({ tokenId }), ownerOf({ userId })]

export const ownerOf = (whose: KeptOf): string =>
  'tokenId' in whose ? `token ${whose.tokenId}` : `user ${whose.userId}`
