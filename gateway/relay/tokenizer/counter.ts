import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { CountText } from './byte-pairs.ts'
import { createCountingQueue, type QueueLimits } from './counting-queue.ts'
import type { CountingThread } from './counting-thread.ts'
import { type Encoding, encodingOf } from './encoding.ts'
import { createTokenEstimator } from './estimate.ts'
import { createThreadSupervisor } from './thread-supervisor.ts'
import type { Vocabularies } from './vocabulary.ts'

/** `counted` is the result of the model's own tokenizer, `estimated` the estimator's for its family. */
export type TokenCount = Readonly<{ tokens: number; source: 'counted' | 'estimated' }>

/** Counts tokens of text; never rejects, since counts that take too long are estimated. */
export interface TokenCounter {
  /** Returns the sum over all texts; adds nothing for roles, messages or tools. Accounts are served alternately. */
  count(accountId: number, model: string, texts: readonly string[]): Promise<TokenCount>
  /** Ends the thread; pending counts are estimated. */
  close(): Promise<void>
}

/** Resource limits of a counter; `quietMs` is how long its thread stays idle before it ends. */
type CounterLimits = QueueLimits & Readonly<{ quietMs: number }>

export type CounterDeps = Readonly<{
  clock: Clock
  log: Logger
  limits?: Partial<CounterLimits>
  start?: (vocabularies: Vocabularies) => Promise<CountingThread>
}>

/** Max characters counted on the calling thread: at most 3 ms for the worst text. */
const SHORT = 4096
/**
 * Max characters that are counted exactly, more than any of OpenAI's models accepts: the thread needs a second for the
 * worst text.
 */
const MAX_LENGTH = 4_000_000
const defaultLimits: CounterLimits = { waiting: 64, timeoutMs: 10_000, quietMs: 60_000 }

/**
 * Exact counts for OpenAI's models, estimates for all others (docs/reference/tokens.md#exact-counts). A thread loads an
 * encoding on its first use and shares the table; afterwards short texts are counted immediately and only long ones go
 * to the thread.
 */
export function createTokenCounter({ clock, log, limits, start = startThread }: CounterDeps): TokenCounter {
  const vocabularies: Vocabularies = {}
  const counters = new Map<Encoding, CountText>()
  const allowed = { ...defaultLimits, ...limits }
  const supervisor = createThreadSupervisor({ start: () => start(vocabularies), quietMs: allowed.quietMs, clock, log })
  const queue = createCountingQueue(supervisor, allowed)
  return {
    async count(accountId, model, texts) {
      const encoding = encodingOf(model)
      if (encoding === undefined) return estimate(model, texts)
      const count = counters.get(encoding)
      const length = texts.reduce((sum, text) => sum + text.length, 0)
      if (count && length <= SHORT) return { tokens: sumOf(texts, count), source: 'counted' }
      const counted = length > MAX_LENGTH ? undefined : await queue.count(accountId, { encoding, texts })
      if (counted === undefined) return estimate(model, texts)
      if (counted.ranks) {
        const { counterOf } = await countingThread()
        vocabularies[encoding] = counted.ranks
        counters.set(encoding, counterOf(encoding, counted.ranks))
      }
      return { tokens: counted.tokens, source: 'counted' }
    },
    close: queue.close,
  }
}

/** Dynamic, so that the module is built as a separate chunk (see `startCountingThread`). */
const countingThread = () => import('./counting-thread.ts')

async function startThread(vocabularies: Vocabularies): Promise<CountingThread> {
  const { startCountingThread } = await countingThread()
  return startCountingThread(vocabularies)
}

function estimate(model: string, texts: readonly string[]): TokenCount {
  const estimator = createTokenEstimator(model)
  for (const text of texts) estimator.add(text)
  return { tokens: estimator.tokens(), source: 'estimated' }
}

function sumOf(texts: readonly string[], count: CountText): number {
  let tokens = 0
  for (const text of texts) tokens += count(text)
  return tokens
}
