import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { type CounterDeps, createTokenCounter, type TokenCounter } from '../../../../gateway/relay/tokenizer/counter.ts'
import { type CountingThread, startCountingThread } from '../../../../gateway/relay/tokenizer/counting-thread.ts'
import { aClock } from '../../../support/clock.ts'
import { published, samples } from './exact.ts'

const long = samples.English.repeat(40)
const [ALICE, BOB] = [1, 2]
const estimated = expect.objectContaining({ source: 'estimated' })

/** By default the clock is fixed, so that no count times out on a machine that is busy with other tests. */
function aCounter({ limits, ...deps }: Partial<CounterDeps> = {}): TokenCounter {
  const allowed = { timeoutMs: 600_000, ...limits }
  const counter = createTokenCounter({ clock: aClock(0), log: silentLogger, limits: allowed, ...deps })
  onTestFinished(counter.close)
  return counter
}

/**
 * A counter with observable threads; `shape` may replace each thread when it is started; the index of the first is 0.
 */
function aWatchedCounter(shape: (thread: CountingThread, index: number) => CountingThread = (thread) => thread) {
  const threads: CountingThread[] = []
  const counter = aCounter({
    start: async (vocabularies) => {
      const thread = shape(startCountingThread(vocabularies), threads.length)
      threads.push(thread)
      return thread
    },
  })
  return { counter, threads }
}

/** Threads that never respond, and that end when they are terminated. */
function idleThreads() {
  const started: { ended: Promise<void> }[] = []
  const start = async (): Promise<CountingThread> => {
    const { promise: answer, reject } = Promise.withResolvers<never>()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    started.push({ ended })
    let alive = true
    return {
      count: () => answer,
      isAlive: () => alive,
      async end() {
        alive = false
        reject(new Error('ended'))
        resolve()
      },
    }
  }
  return { started, start }
}

describe('counting tokens (docs/reference/tokens.md#exact-counts)', () => {
  it('is exact for OpenAI’s models, in short texts and long ones, cold and warm', async () => {
    const counter = aCounter()
    for (const model of ['gpt-4o', 'openai/gpt-4'] as const) {
      const count = published[model === 'gpt-4o' ? 'o200k_base' : 'cl100k_base']
      for (const texts of [['hello world'], ['hello world'], [long], [samples.Chinese, samples.code], []]) {
        const tokens = texts.reduce((sum, text) => sum + count(text), 0)
        expect(await counter.count(ALICE, model, texts)).toEqual({ tokens, source: 'counted' })
      }
    }
  })

  it('counts marks of the model’s own language as the text they are', async () => {
    const counter = aCounter()
    expect(await counter.count(ALICE, 'gpt-4', ['<|endoftext|>'])).toEqual({ tokens: 7, source: 'counted' })
    expect(await counter.count(ALICE, 'gpt-4', ['<|endoftext|>'])).toEqual({ tokens: 7, source: 'counted' })
  })

  it('estimates for all other models, and starts no thread for it', async () => {
    const { counter, threads } = aWatchedCounter()
    expect(await counter.count(ALICE, 'claude-sonnet-4-5', ['hello world'])).toEqual({ tokens: 3, source: 'estimated' })
    expect(threads).toHaveLength(0)
  })

  it('uses the thread for long texts, and once for a short text', async () => {
    const asked: number[] = []
    const { counter, threads } = aWatchedCounter((thread) => ({
      ...thread,
      count: (ask) => {
        asked.push(ask.texts.length)
        return thread.count(ask)
      },
    }))
    await counter.count(ALICE, 'gpt-4o', ['one'])
    await Promise.all([
      counter.count(ALICE, 'gpt-4o', ['one', 'two']),
      counter.count(ALICE, 'gpt-4o', [long, 'two', 'three']),
    ])
    expect(asked).toEqual([1, 3])
    expect(threads).toHaveLength(1)
  })
})

describe('the counting thread', () => {
  it('is replaced when it dies at work; that count is estimated', async () => {
    const { counter, threads } = aWatchedCounter((thread, index) => ({
      ...thread,
      count: (ask) => {
        const told = thread.count(ask)
        if (index === 0) void thread.end()
        return told
      },
    }))
    expect(await counter.count(ALICE, 'gpt-4o', [long])).toEqual(estimated)
    expect(await counter.count(ALICE, 'gpt-4o', [long])).toEqual({
      tokens: published.o200k_base(long),
      source: 'counted',
    })
    expect(threads).toHaveLength(2)
  })

  it('is not restarted for a minute when two die in a row', async () => {
    const clock = aClock(0)
    let starts = 0
    const start = async () => {
      starts += 1
      throw new Error('no threads here')
    }
    const counter = aCounter({ clock, start })
    const counts = [1, 2, 3, 4].map((account) => counter.count(account, 'gpt-4o', [long]))
    expect(await Promise.all(counts)).toEqual([estimated, estimated, estimated, estimated])
    expect(await counter.count(ALICE, 'gpt-4o', [long])).toEqual(estimated)
    expect(starts).toBe(2)
    clock.advanceSeconds(60)
    expect(await counter.count(ALICE, 'gpt-4o', [long])).toEqual(estimated)
    expect(starts).toBe(3)
  })

  it('is ended when unused for a while, and its tables stay', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const threads: CountingThread[] = []
    const counter = aCounter({
      limits: { quietMs: 0 },
      start: async (vocabularies) => {
        const thread = startCountingThread(vocabularies)
        threads.push(thread)
        return { ...thread, end: () => thread.end().then(resolve) }
      },
    })
    expect(await counter.count(ALICE, 'gpt-4o', [long])).toMatchObject({ source: 'counted' })
    await ended
    expect(threads.map((thread) => thread.isAlive())).toEqual([false])
    expect(await counter.count(ALICE, 'gpt-4o', ['hello world'])).toEqual({ tokens: 2, source: 'counted' })
    expect(threads).toHaveLength(1)
    expect(await counter.count(ALICE, 'gpt-4o', [long])).toEqual({
      tokens: published.o200k_base(long),
      source: 'counted',
    })
    expect(threads).toHaveLength(2)
  })

  it('loses the job that takes too long, and is ended for it', async () => {
    const { started, start } = idleThreads()
    const counter = aCounter({ start, limits: { timeoutMs: 1 } })
    expect(await counter.count(ALICE, 'gpt-4o', [long])).toEqual(estimated)
    await started[0]?.ended
    expect(started).toHaveLength(1)
  })

  it('has its whole time for a job that has waited, so that waiting never ends it', async () => {
    const limits: AbortController[] = []
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const limit = new AbortController()
      limits.push(limit)
      return limit.signal
    })
    onTestFinished(() => timeout.mockRestore())
    const working: (() => void)[] = []
    let ends = 0
    const start = async (): Promise<CountingThread> => ({
      count: () => new Promise((resolve) => working.push(() => resolve({ tokens: 1 }))),
      isAlive: () => true,
      async end() {
        ends += 1
      },
    })
    const counter = aCounter({ start })
    const counts = [long, `${long} `].map((text) => counter.count(ALICE, 'gpt-4o', [text]))
    const waits = [...limits]
    await vi.waitFor(() => expect(working).toHaveLength(1))
    working[0]?.()
    await vi.waitFor(() => expect(working).toHaveLength(2))
    // The time for waiting is over while the second job works.
    for (const wait of waits) wait.abort()
    working[1]?.()
    for (const count of counts) expect(await count).toEqual({ tokens: 1, source: 'counted' })
    expect(ends).toBe(0)
  })

  it('serves the accounts by turns, and refuses one with more than half of the waiting texts', async () => {
    const counted: number[] = []
    const gate = Promise.withResolvers<void>()
    const start = async (): Promise<CountingThread> => ({
      async count({ texts }) {
        await gate.promise
        counted.push(texts.join('').length / samples.English.length)
        return { tokens: 1 }
      },
      isAlive: () => true,
      end: async () => {},
    })
    const counter = aCounter({ start, limits: { waiting: 4 } })
    const of = (accountId: number, times: number) => counter.count(accountId, 'gpt-4o', [samples.English.repeat(times)])
    const kept = [of(ALICE, 100), of(ALICE, 101), of(ALICE, 102)]
    const refused = of(ALICE, 103)
    const bobs = of(BOB, 104)
    gate.resolve()
    expect((await refused).source).toBe('estimated')
    for (const count of [...kept, bobs]) expect((await count).source).toBe('counted')
    expect(counted).toEqual([100, 104, 101, 102])
  })

  it('is not used beyond the maximum of any model', async () => {
    const { counter, threads } = aWatchedCounter()
    expect(await counter.count(ALICE, 'gpt-4o', ['x'.repeat(3_000_000), 'x'.repeat(1_000_001)])).toEqual(estimated)
    expect(threads).toHaveLength(0)
  })

  it('has a short queue; a text that does not fit gets an estimate at once', async () => {
    const { start } = idleThreads()
    const counter = aCounter({ start, limits: { waiting: 4 } })
    const kept = Array.from({ length: 3 }, () => counter.count(ALICE, 'gpt-4o', [long]))
    expect(await counter.count(ALICE, 'gpt-4o', [long])).toEqual(estimated)
    await counter.close()
    expect(await Promise.all(kept)).toEqual([estimated, estimated, estimated])
    expect(await counter.count(ALICE, 'gpt-4o', [long])).toEqual(estimated)
  })
})
