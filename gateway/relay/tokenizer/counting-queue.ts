import { createFairQueue } from '../../base/fair-queue.ts'
import type { CountRequest, ThreadCount } from './counting-thread.ts'
import type { ThreadSupervisor } from './thread-supervisor.ts'

export type QueueLimits = Readonly<{
  /** Max waiting jobs, of which no account may have more than it leaves free; others are rejected. */
  waiting: number
  /** Max duration of a job's wait, and of its work: waiting must not end the thread, which serves all accounts. */
  timeoutMs: number
}>

/** Jobs for the single counting thread, served alternately by account. */
interface CountingQueue {
  /** Returns undefined if the job was rejected, took too long or lost its thread. */
  count(accountId: number, job: CountRequest): Promise<ThreadCount | undefined>
  /** Ends the thread; waiting jobs return undefined. */
  close(): Promise<void>
}

/** Gives jobs to the thread one by one, so that losing it loses one job. */
export function createCountingQueue(supervisor: ThreadSupervisor, { waiting, timeoutMs }: QueueLimits): CountingQueue {
  const turns = createFairQueue(1, waiting)
  const closing = new AbortController()
  const timeLimit = () => AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
  return {
    async count(accountId, job) {
      if (closing.signal.aborted || supervisor.isBackingOff()) return undefined
      const end = await turns.take(accountId, timeLimit()).catch(() => undefined)
      if (!end) return undefined
      try {
        return supervisor.isBackingOff() ? undefined : await counted(supervisor, job, timeLimit())
      } finally {
        supervisor.endLater()
        end()
      }
    },
    async close() {
      closing.abort()
      await supervisor.endNow()
    },
  }
}

/** Counts in the thread; terminates it if it is still working when `signal` is aborted. */
async function counted(
  supervisor: ThreadSupervisor,
  job: CountRequest,
  signal: AbortSignal,
): Promise<ThreadCount | undefined> {
  const endThread = () => void supervisor.endNow()
  try {
    const thread = await supervisor.thread()
    if (signal.aborted) return void (await supervisor.endNow())
    signal.addEventListener('abort', endThread)
    const found = await thread.count(job)
    supervisor.finished()
    return found
  } catch (error) {
    supervisor.lost(error)
    return undefined
  } finally {
    signal.removeEventListener('abort', endThread)
  }
}
