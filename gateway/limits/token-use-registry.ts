import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { BudgetUse } from '../../shared/api/token.ts'
import { createFairQueue } from '../base/fair-queue.ts'
import { upTo } from '../base/lru.ts'
import type { TokenCharges } from '../store/ledger/token-charges.ts'
import { areSame, type TokenLimits } from './token-limits.ts'
import { TokenUse, type TokenUseDeps } from './token-use.ts'

/** The tokens with limits that have been used or viewed. */
export interface TokenUseRegistry {
  /** Changes whenever a token is newly followed, or no longer. */
  readonly generation: number
  of(tokenId: number): TokenUse | undefined
  /**
   * Counts the token's charges against these limits from now on; null stops counting. Returns one object per token for
   * as long as the token has limits.
   */
  follow(tokenId: number, limits: TokenLimits | null): TokenUse | null
  /** The current budgets of a token; empty if none is set. */
  report(tokenId: number, limits: TokenLimits | null): Promise<BudgetUse[]>
}

/** Max tokens followed; the least recently used one is dropped, and read from the ledger again on its next use. */
const MAX_FOLLOWED = 10_000

/** Initially follows no token: earlier usage is read from the ledger when a token is used or viewed. */
export function createTokenUseRegistry(deps: TokenUseDeps): TokenUseRegistry {
  const active: NonNullable<TokenUseDeps['active']> = new Map()
  const charges = pacedCharges(deps)
  const followed = new LRUCache<number, TokenUse>({ ...upTo(MAX_FOLLOWED) })
  let generation = 0
  const follow = (tokenId: number, limits: TokenLimits | null): TokenUse | null => {
    const current = followed.get(tokenId)
    if (!limits) {
      if (followed.delete(tokenId)) generation += 1
      return null
    }
    if (current) {
      if (!areSame(current.limits, limits)) current.limits = limits
      return current
    }
    const use = new TokenUse({ ...deps, charges, active }, tokenId, limits)
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

/**
 * Sums one after the other, alternating between tokens, each followed by a pause of its length: on SQLite a sum blocks
 * the event loop, and an account may cause many at once by editing its tokens.
 */
function pacedCharges({ charges, clock }: Pick<TokenUseDeps, 'charges' | 'clock'>): TokenCharges {
  // PostgreSQL does it in another process.
  if (charges.maxSeconds === Number.POSITIVE_INFINITY) return charges
  const turns = createFairQueue(1, Number.POSITIVE_INFINITY)
  return {
    ...charges,
    async sum(tokenId, from, to, upTo) {
      const end = await turns.take(tokenId)
      try {
        const startedMs = clock.monotonic()
        const sum = await charges.sum(tokenId, from, to, upTo)
        const tookMs = clock.monotonic() - startedMs
        if (tookMs >= 1) await pause(Math.min(tookMs, MAX_PAUSE_MS))
        return sum
      } finally {
        end()
      }
    },
  }
}

const MAX_PAUSE_MS = 1000
