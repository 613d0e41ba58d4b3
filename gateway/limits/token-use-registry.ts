import { LRUCache } from 'lru-cache'
import type { BudgetUse } from '../../shared/api/token.ts'
import { upTo } from '../base/lru.ts'
import { createReadTurns, noTurns } from './read-turns.ts'
import { areSame, type TokenLimits } from './token-limits.ts'
import { TokenUse, type TokenUseDeps } from './token-use.ts'

/** The tokens with limits that have been used or viewed. */
export interface TokenUseRegistry {
  /** Changes whenever a token starts to be followed, or its limits are removed. */
  readonly generation: number
  of(tokenId: number): TokenUse | undefined
  /**
   * Counts the token's charges against these limits from now on; null stops counting. Returns one object per token for
   * as long as the token has limits and anything refers to the object, such as a reservation.
   */
  follow(token: OwnedToken, limits: TokenLimits | null): TokenUse | null
  /** The current budgets of a token; empty if none is set. */
  report(token: OwnedToken, limits: TokenLimits | null): Promise<BudgetUse[]>
}

type OwnedToken = Readonly<{ id: number; accountId: number }>

/** Max tokens remembered of those in use, and of those viewed; others are read from the ledger again. */
const MAX_REMEMBERED = 10_000

type RegistryDeps = Omit<TokenUseDeps, 'readTurn' | 'active'>

/** Initially follows no token: earlier usage is read from the ledger when a token is used or viewed. */
export function createTokenUseRegistry(deps: RegistryDeps): TokenUseRegistry {
  const { charges, clock } = deps
  const active: NonNullable<TokenUseDeps['active']> = new Map()
  const turns = charges.maxSeconds === Number.POSITIVE_INFINITY ? async () => noTurns : createReadTurns(clock)
  const uses = new Map<number, WeakRef<TokenUse>>()
  const collected = new FinalizationRegistry<number>((id) => {
    if (!uses.get(id)?.deref()) uses.delete(id)
  })
  // Separate, so that viewing many tokens does not forget those in use.
  const [used, viewed] = [remembered(), remembered()]
  let generation = 0
  const find = (id: number) => uses.get(id)?.deref()
  const followed = ({ id, accountId }: OwnedToken, limits: TokenLimits | null): TokenUse | null => {
    const current = find(id)
    if (!limits) {
      if (uses.delete(id)) generation += 1
      for (const memory of [used, viewed]) memory.delete(id)
      return null
    }
    if (current) {
      if (!areSame(current.limits, limits)) current.limits = limits
      return current
    }
    const use = new TokenUse({ ...deps, readTurn: () => turns(accountId), active }, id, limits)
    uses.set(id, new WeakRef(use))
    collected.register(use, id)
    generation += 1
    return use
  }
  return {
    get generation() {
      return generation
    },
    of: find,
    follow(token, limits) {
      const use = followed(token, limits)
      if (use) used.set(token.id, use)
      return use
    },
    async report(token, limits) {
      const use = followed(token, limits)
      if (!use) return []
      viewed.set(token.id, use)
      await use.prepare()
      return use.report()
    },
  }
}

const remembered = () => new LRUCache<number, TokenUse>({ ...upTo(MAX_REMEMBERED) })
