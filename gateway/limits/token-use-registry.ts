import { LRUCache } from 'lru-cache'
import type { BudgetUse } from '../../shared/api/token.ts'
import { upTo } from '../base/lru.ts'
import { areSame, type TokenLimits } from './token-limits.ts'
import { createTokenUse, type TokenUse, type TokenUseDeps } from './token-use.ts'

/** The tokens that have limits, as far as anybody asked for them. */
export interface TokenUseRegistry {
  /** Another number once some token is followed that was not, or in another way. */
  readonly generation: number
  of(tokenId: number): TokenUse | undefined
  /** From now on what the token is charged counts for these limits; null follows it no longer. */
  follow(tokenId: number, limits: TokenLimits | null): TokenUse | null
  /** The budgets of a token as they stand; none where none is set. */
  report(tokenId: number, limits: TokenLimits | null): Promise<BudgetUse[]>
}

/** Tokens followed at once; the one unused for longest is let go then, and read from the ledger again when it is used. */
const MAX_FOLLOWED = 10_000

/** Nobody is followed at first: use of earlier runs is read from the ledger when a token is used or looked at. */
export function createTokenUseRegistry(deps: TokenUseDeps): TokenUseRegistry {
  const followed = new LRUCache<number, TokenUse>({ ...upTo(MAX_FOLLOWED) })
  let generation = 0
  const follow = (tokenId: number, limits: TokenLimits | null): TokenUse | null => {
    const known = followed.get(tokenId)
    if (!limits) {
      if (followed.delete(tokenId)) generation += 1
      return null
    }
    if (known && areSame(known.limits, limits)) return known
    const use = createTokenUse(deps, tokenId, limits, known?.rates)
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
