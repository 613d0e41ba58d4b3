import { LRUCache } from 'lru-cache'
import { upTo } from '../../base/lru.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Expected } from '../model/plan.ts'

/**
 * What models put out beyond what was set aside for them, as their vendors reported it. The next calls of such a model set that
 * aside as well, so that many at once do not spend more than there is (docs/reference/billing.md#hold). It is forgotten with
 * the process.
 */
export interface LearnedOutputs {
  /** Learns from the usage of a call that was expected to use `expected`. */
  note(model: string, expected: Expected, usage: Usage): void
  /** What a call of the model may use, by what has been learned. */
  raised(model: string, expected: Expected): Expected
}

const MAX_MODELS = 2000
/** More is no output of any model: a vendor's false figure must not hold whole balances for ever. */
const MAX_EXCESS = 1_000_000

/** Knows nothing at first. */
export function createLearnedOutputs(): LearnedOutputs {
  /** Tokens beyond what was expected, of one choice. */
  const excesses = new LRUCache<string, number>({ ...upTo(MAX_MODELS) })
  return {
    note(model, { output, choices }, { completion, source }) {
      if (source !== 'upstream' || output === 0 || completion <= output) return
      const excess = Math.min(Math.ceil((completion - output) / choices), MAX_EXCESS)
      excesses.set(model, Math.min((excesses.get(model) ?? 0) + excess, MAX_EXCESS))
    },
    raised(model, expected) {
      const excess = expected.output === 0 ? undefined : excesses.get(model)
      return excess === undefined ? expected : { ...expected, output: expected.output + excess * expected.choices }
    },
  }
}
