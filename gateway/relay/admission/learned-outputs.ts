import { LRUCache } from 'lru-cache'
import { lruLife, upTo } from '../../base/lru.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Expected } from '../model/plan.ts'

/**
 * Outputs of models that exceeded their reservation, as reported by vendors. For the next hour, calls of such a model
 * reserve as much, so that many concurrent calls do not overspend (docs/reference/billing.md#hold).
 */
export interface LearnedOutputs {
  /** Records the usage of a call that was reserved for `expected`. */
  note(model: string, expected: Expected, usage: Usage): void
  /** `expected`, raised to what has been observed. */
  raised(model: string, expected: Expected): Expected
}

const MAX_MODELS = 2000
const LIFE_MS = 3_600_000
/** No model puts out more: a vendor's wrong number must not reserve whole balances. */
const MAX_OUTPUT = 1_000_000

/** `monotonic` returns milliseconds. */
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
