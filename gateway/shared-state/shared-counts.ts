import { type MaybePromise, whenKnown } from '../base/maybe-promise.ts'
import type { Rates } from './rates.ts'

/** At most `limit` within `windowMs`; `amount` is counted if every rule of the call allows it, 0 only checks. */
export type CountRule = Readonly<{ key: string; limit: number; windowMs: number; amount: number }>

/** `parts` identify the counted amounts, for `remove`. */
type CountResult =
  | Readonly<{ isAllowed: true; parts: CountedParts }>
  | Readonly<{ isAllowed: false; rule: CountRule; waitMs: number }>

/** For each rule, the part of its window, by the clock of all nodes, in which it counted. */
export type CountedParts = readonly number[]

/**
 * Sums within sliding windows that all nodes count together. While they cannot, `isUp` is false, and each node counts
 * its share of a limit (docs/growth.md#redis). Never fails, never takes long.
 */
export interface SharedCounts {
  readonly isUp: boolean
  /** Checks all rules, then counts; undefined if the nodes cannot count together. */
  take(rules: readonly CountRule[]): Promise<CountResult | undefined>
  /** Counts without a check, and without waiting for the result. */
  add(rule: CountRule): void
  /** Subtracts what `take` counted, without waiting for the result. */
  remove(rules: readonly CountRule[], parts: CountedParts): void
  clear(key: string): Promise<void>
}

export const noSharedCounts: SharedCounts = {
  isUp: false,
  take: async () => undefined,
  add: () => {},
  remove: () => {},
  clear: async () => {},
}

/** Rates that all nodes count together; `own` counts while they cannot. */
export const sharedRates = (counts: SharedCounts, own: Rates): Rates => ({
  window(terms) {
    const { name, limit, windowSeconds } = terms
    const ofNode = own.window(terms)
    const keyOf = (key: string) => `rate ${name} ${key}`
    return {
      take(key): MaybePromise<number> {
        if (limit === 0 || !counts.isUp) return ofNode.take(key)
        const rule = { key: keyOf(key), limit, windowMs: windowSeconds * 1000, amount: 1 }
        return counts.take([rule]).then((result) => {
          if (!result) return ofNode.take(key)
          return result.isAllowed ? 0 : Math.max(1, Math.ceil(result.waitMs / 1000))
        })
      },
      clear: (key) => whenKnown(ofNode.clear(key), () => counts.clear(keyOf(key))),
    }
  },
})
