import { LRUCache } from 'lru-cache'
import { lruLife } from '../../base/lru.ts'
import type { Usage } from '../../billing/usage.ts'

/** An answer as it lies in memory, and whose it is. */
export type Kept = Readonly<{
  userId: number
  tokenId: number
  sealed: Buffer
  head: Readonly<Record<string, string>>
  isStream: boolean
  usage: Usage
  sinceMs: number
}>

/** Whose answers are meant. */
export type KeptOf = Readonly<{ tokenId: number }> | Readonly<{ userId: number }>

/** Answers by their names, those used longest ago go first; those of one token or account are found without looking at others. */
export interface KeptAnswers {
  get(name: string): Kept | undefined
  /** False where it is too large to be kept. */
  set(name: string, kept: Kept): boolean
  /** Removes the answers of one token or account; returns how many of them were young enough to be given. */
  removeOf(whose: KeptOf): number
  purgeStale(): void
  readonly size: number
  readonly bytes: number
  readonly maxSize: number
}

/** What an answer takes besides its bytes, and how many there may be. */
const OVERHEAD = 1024
const MAX_ANSWERS = 50_000

/** Room for `maxSize` bytes of answers, each for `ttlMs` of a clock of monotonic milliseconds. */
export function createKeptAnswers(maxSize: number, ttlMs: number, monotonic: () => number): KeptAnswers {
  const min = Math.ceil(maxSize / MAX_ANSWERS)
  const names = new Map<string, Set<string>>()
  const answers = new LRUCache<string, Kept>({
    maxSize,
    sizeCalculation: ({ sealed }) => Math.max(sealed.length + OVERHEAD, min),
    ...lruLife(ttlMs, monotonic),
    dispose(kept, name) {
      for (const owner of ownersOf(kept)) forget(owner, name)
    },
  })
  const forget = (owner: string, name: string) => {
    const own = names.get(owner)
    own?.delete(name)
    if (own?.size === 0) names.delete(owner)
  }
  return {
    get: (name) => answers.get(name),
    set(name, kept) {
      answers.set(name, kept)
      if (!answers.has(name)) return false
      for (const owner of ownersOf(kept)) names.set(owner, (names.get(owner) ?? new Set()).add(name))
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

/** A token or an account as the key of a map. */
export const ownerOf = (whose: KeptOf): string =>
  'tokenId' in whose ? `token ${whose.tokenId}` : `user ${whose.userId}`
