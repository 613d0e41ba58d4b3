import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { type CountText, createCounter } from './byte-pairs.ts'
import type { Encoding } from './encoding.ts'
import type { Ranks } from './ranks.ts'
import { loadRanks, patterns, type Vocabularies } from './vocabulary.ts'

export type CountRequest = Readonly<{ encoding: Encoding; texts: readonly string[] }>
/** `ranks` is present if the thread had to load them. */
export type ThreadCount = Readonly<{ tokens: number; ranks?: Ranks }>

export interface CountingThread {
  /** Rejects if the thread dies before it responds. */
  count(job: CountRequest): Promise<ThreadCount>
  isAlive(): boolean
  end(): Promise<void>
}

/** Distinguishes the two sides: this module is loaded both in the thread and by its starter. */
const ROLE = 'token-counting'
const MEGABYTES = 512

/**
 * Starts a thread that does not keep the process alive. It runs this file, both from source and from the bundle, so
 * this module must only be imported dynamically, and its imports must not be imported elsewhere in the gateway: then it
 * is built as a separate chunk, and the thread loads nothing of the gateway.
 */
export function startCountingThread(vocabularies: Vocabularies): CountingThread {
  let pending: PromiseWithResolvers<ThreadCount> | undefined
  let alive = true
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE, vocabularies },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  const lose = (cause: unknown) => {
    alive = false
    pending?.reject(cause)
    pending = undefined
  }
  worker.on('message', (counted: ThreadCount) => {
    pending?.resolve(counted)
    pending = undefined
  })
  worker.on('error', lose)
  worker.on('exit', (code) => lose(new Error(`the counting thread ended with code ${code}`)))
  worker.unref()
  return {
    count(job) {
      pending = Promise.withResolvers<ThreadCount>()
      if (alive) worker.postMessage(job)
      else pending.reject(new Error('the counting thread has ended'))
      return pending.promise
    },
    isAlive: () => alive,
    async end() {
      alive = false
      await worker.terminate()
    },
  }
}

export const counterOf = (encoding: Encoding, ranks: Ranks): CountText => createCounter(ranks, patterns[encoding])

function serve(port: MessagePort, vocabularies: Vocabularies): void {
  const counters = new Map<Encoding, CountText>()
  const counterFor = async (encoding: Encoding): Promise<{ count: CountText; loaded?: Ranks }> => {
    const known = counters.get(encoding)
    if (known) return { count: known }
    const shared = vocabularies[encoding]
    const ranks = shared ?? (await loadRanks(encoding))
    const count = counterOf(encoding, ranks)
    counters.set(encoding, count)
    return shared ? { count } : { count, loaded: ranks }
  }
  port.on('message', async ({ encoding, texts }: CountRequest) => {
    const { count, loaded } = await counterFor(encoding)
    const tokens = texts.reduce((sum, text) => sum + count(text), 0)
    port.postMessage({ tokens, ...(loaded ? { ranks: loaded } : {}) } satisfies ThreadCount)
  })
}

// The compiler does not know a thread's data; only `startCountingThread` sets this role.
const task = workerData as { role?: unknown; vocabularies: Vocabularies } | null
if (parentPort && task?.role === ROLE) serve(parentPort, task.vocabularies)
