import { LRUCache } from 'lru-cache'
import type { BudgetUse } from '../../shared/api/token.ts'
import { upTo } from '../base/lru.ts'
import { areSame, type TokenLimits } from './token-limits.ts'
import { createTokenUse, type TokenUse, type TokenUseDeps } from './token-use.ts'

/** The tokens with limits that have been used or viewed. */
export interface TokenUseRegistry {
  /** Changes whenever a token is newly followed, or followed with other limits. */
  readonly generation: number
  of(tokenId: number): TokenUse | undefined
  /** Counts the token's charges against these limits from now on; null stops counting. */
  follow(tokenId: number, limits: TokenLimits | null): TokenUse | null
  /** The current budgets of a token; empty if none is set. */
  report(tokenId: number, limits: TokenLimits | null): Promise<BudgetUse[]>
}

/** Max tokens followed; the least recently used one is dropped, and read from the ledger again on its next use. */
const MAX_FOLLOWED = 10_000

/** Initially follows no token: earlier usage is read from the ledger when a token is used or viewed. */
export function createTokenUseRegistry(deps: TokenUseDeps): TokenUseRegistry {
  const active: NonNullable<TokenUseDeps['active']> = new Map()
  const followed = new LRUCache<number, TokenUse>({ ...upTo(MAX_FOLLOWED) })
  let generation = 0
  const follow = (tokenId: number, limits: TokenLimits | null): TokenUse | null => {
    const current = followed.get(tokenId)
    if (!limits) {
      if (followed.delete(tokenId)) generation += 1
      return null
    }
    if (current && areSame(current.limits, limits)) return current
    const use = createTokenUse({ ...deps, active }, tokenId, limits, current?.rates)
    followed.set(tokenId, use)
    generation += 1
    return use
  }
  return {
    get generation() {
      return generation
    },
    of: (tokenId) => followed.get(tokenId),
    follow,
    async report(tokenId, limits) {
      const use = follow(tokenId, limits)
      if (!use) return []
      await use.prepare()
      return use.report()
    },
  }
}
