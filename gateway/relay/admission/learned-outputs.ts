import { LRUCache } from 'lru-cache'
import { lruLife, upTo } from '../../base/lru.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Expected } from '../model/plan.ts'

/**
 * How much models put out where that was more than was set aside, as their vendors reported it. Calls of such a model in the next
 * hour set as much aside, so that many at once do not spend more than there is (docs/reference/billing.md#hold).
 */
export interface LearnedOutputs {
  /** Learns from the usage of a call that was expected to use `expected`. */
  note(model: string, expected: Expected, usage: Usage): void
  /** What a call of the model may use, by what has been learned. */
  raised(model: string, expected: Expected): Expected
}

const MAX_MODELS = 2000
const LIFE_MS = 3_600_000
/** More is no output of any model: a vendor's false figure must not hold whole balances. */
const MAX_OUTPUT = 1_000_000

/** Knows nothing at first; `monotonic` gives milliseconds. */
export function createLearnedOutputs(monotonic: () => number): LearnedOutputs {
  /** Tokens of one choice. */
  const outputs = new LRUCache<string, number>({ ...upTo(MAX_MODELS), ...lruLife(LIFE_MS, monotonic) })
  return {
    note(model, { output, choices }, { completion, source }) {
      if (source !== 'upstream' || output === 0 || completion <= output) return
      const seen = Math.min(Math.ceil(completion / choices), MAX_OUTPUT)
      outputs.set(model, Math.max(outputs.get(model) ?? 0, seen))
    },
    raised(model, expected) {
      const min = expected.output === 0 ? 0 : (outputs.get(model) ?? 0) * expected.choices
      return min > expected.output ? { ...expected, output: min } : expected
    },
  }
}
