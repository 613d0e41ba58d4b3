import { LRUCache } from 'lru-cache'
import { lruLife, upTo } from '../../base/lru.ts'
import type { Usage } from '../../billing/usage.ts'
import { offeredIn, type Plan } from '../model/plan.ts'
import type { OutputLimit } from './model-output-limits.ts'

/**
 * Outputs that exceeded their reservation, as reported by vendors. For the next hour, calls of the same model that may
 * go to the same channel reserve as much, so that many concurrent calls do not overspend
 * (docs/reference/billing.md#hold). A vendor's wrong figure does not affect other channels, and raises reservations at
 * most to the model's longest output.
 */
export interface LearnedOutputs {
  /** Records what a channel reported for a call of a model that was reserved for `expected`. */
  note(channelId: number, model: string, expected: Plan['expected'], usage: Usage): void
  /** The plan's `expected`, raised to what has been observed of its channels. */
  raised(plan: Pick<Plan, 'expected' | 'forced' | 'tiers'>, model: string, limit: OutputLimit): Plan['expected']
}

const MAX_MODELS = 2000
const MAX_CHANNELS = 100
const LIFE_MS = 3_600_000
/** Max output of a model whose limit is not documented, in tokens. */
const MAX_UNKNOWN_OUTPUT = 200_000

/** `monotonic` returns milliseconds. */
export function createLearnedOutputs(monotonic: () => number): LearnedOutputs {
  const life = lruLife(LIFE_MS, monotonic)
  /** Tokens of one choice, by model and channel id. */
  const models = new LRUCache<string, LRUCache<number, number>>({ ...upTo(MAX_MODELS), ...life })
  return {
    note(channelId, model, { output, choices }, { completion, source }) {
      if (source !== 'upstream' || output === 0 || completion <= output) return
      const outputs = models.get(model) ?? new LRUCache<number, number>({ ...upTo(MAX_CHANNELS), ...life })
      outputs.set(channelId, Math.max(outputs.get(channelId) ?? 0, Math.ceil(completion / choices)))
      models.set(model, outputs)
    },
    raised(plan, model, { tokens, isKnown }) {
      const { expected } = plan
      const outputs = models.size === 0 || expected.output === 0 ? undefined : models.get(model)
      if (!outputs) return expected
      const seen = Math.max(0, ...offeredIn(plan).map(({ id }) => outputs.get(id) ?? 0))
      const min = Math.min(seen, isKnown ? tokens : MAX_UNKNOWN_OUTPUT) * expected.choices
      return min > expected.output ? { ...expected, output: min } : expected
    },
  }
}
