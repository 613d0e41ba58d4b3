import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { BudgetUse } from '../../shared/api/token.ts'
import { createFairQueue } from '../base/fair-queue.ts'
import { yieldToOthers } from '../base/fair-yield.ts'
import { upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { TokenCharges } from '../store/ledger/token-charges.ts'
import { areSame, type TokenLimits } from './token-limits.ts'
import { TokenUse, type TokenUseDeps } from './token-use.ts'

/** The tokens with limits that have been used or viewed. */
export interface TokenUseRegistry {
  /** Changes whenever a token starts to be followed, or its limits are removed. */
  readonly generation: number
  of(tokenId: number): TokenUse | undefined
  /**
   * Counts the token's charges against these limits from now on; null stops counting. Returns one object per token for
   * as long as the token has limits.
   */
  follow(token: OwnedToken, limits: TokenLimits | null): TokenUse | null
  /** The current budgets of a token; empty if none is set. */
  report(token: OwnedToken, limits: TokenLimits | null): Promise<BudgetUse[]>
}

type OwnedToken = Readonly<{ id: number; accountId: number }>

/** Max tokens followed; the least recently used one is dropped, and read from the ledger again on its next use. */
const MAX_FOLLOWED = 10_000

/** Initially follows no token: earlier usage is read from the ledger when a token is used or viewed. */
export function createTokenUseRegistry(deps: TokenUseDeps): TokenUseRegistry {
  const active: NonNullable<TokenUseDeps['active']> = new Map()
  const chargesFor = pacedCharges(deps)
  const followed = new LRUCache<number, TokenUse>({ ...upTo(MAX_FOLLOWED) })
  let generation = 0
  const follow = ({ id, accountId }: OwnedToken, limits: TokenLimits | null): TokenUse | null => {
    const current = followed.get(id)
    if (!limits) {
      if (followed.delete(id)) generation += 1
      return null
    }
    if (current) {
      if (!areSame(current.limits, limits)) current.limits = limits
      return current
    }
    const use = new TokenUse({ ...deps, charges: chargesFor(accountId), active }, id, limits)
    followed.set(id, use)
    generation += 1
    return use
  }
  return {
    get generation() {
      return generation
    },
    of: (tokenId) => followed.get(tokenId),
    follow,
    async report(token, limits) {
      const use = follow(token, limits)
      if (!use) return []
      await use.prepare()
      return use.report()
    },
  }
}

/**
 * Runs reads one after another, alternating between accounts, and pauses after each for as long as the read took: on
 * SQLite a read blocks the event loop, and an account may cause many at once by editing or listing its tokens.
 */
function pacedCharges({
  charges,
  clock,
}: Pick<TokenUseDeps, 'charges' | 'clock'>): (accountId: number) => TokenCharges {
  // PostgreSQL reads in another process.
  if (charges.maxSeconds === Number.POSITIVE_INFINITY) return () => charges
  const turns = createFairQueue(1, Number.POSITIVE_INFINITY)
  const inTurn = async <T>(accountId: number, read: () => MaybePromise<T>): Promise<T> => {
    const end = await turns.take(accountId)
    try {
      const startedMs = clock.monotonic()
      const found = await read()
      const tookMs = clock.monotonic() - startedMs
      await (tookMs < 1 ? yieldToOthers() : pause(Math.min(tookMs, MAX_PAUSE_MS)))
      return found
    } finally {
      end()
    }
  }
  return (accountId) => ({
    ...charges,
    sum: (...range) => inTurn(accountId, () => charges.sum(...range)),
    firstFrom: (...start) => inTurn(accountId, () => charges.firstFrom(...start)),
  })
}

const MAX_PAUSE_MS = 1000
