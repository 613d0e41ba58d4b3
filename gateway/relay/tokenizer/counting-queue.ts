import { createFairTurns } from '../../base/fair-turns.ts'
import type { CountRequest, ThreadCount } from './counting-thread.ts'
import type { ThreadSupervisor } from './thread-supervisor.ts'

export type QueueLimits = Readonly<{
  /** Jobs that wait, of which no account has more than it leaves free; others are turned away. */
  waiting: number
  /** How long a job may take, its wait included. */
  timeoutMs: number
}>

/** Jobs for the one counting thread, of the accounts in turn. */
interface CountingQueue {
  /** Undefined when the job was turned away, took too long or lost its thread. */
  count(accountId: number, ask: CountRequest): Promise<ThreadCount | undefined>
  /** Ends the thread; what waits is told undefined. */
  close(): Promise<void>
}

/** Gives jobs to the thread one by one, so that losing it loses one job. */
export function createCountingQueue(supervisor: ThreadSupervisor, { waiting, timeoutMs }: QueueLimits): CountingQueue {
  const turns = createFairTurns(1, waiting)
  const closing = new AbortController()
  return {
    async count(accountId, ask) {
      if (closing.signal.aborted || supervisor.isBackingOff()) return undefined
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
      const end = await turns.take(accountId, signal).catch(() => undefined)
      if (!end) return undefined
      try {
        return await counted(supervisor, ask, signal)
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

/** What the thread counts; a thread that is still at work when `signal` ends is ended. */
async function counted(
  supervisor: ThreadSupervisor,
  ask: CountRequest,
  signal: AbortSignal,
): Promise<ThreadCount | undefined> {
  const endThread = () => void supervisor.endNow()
  try {
    const thread = await supervisor.thread()
    if (signal.aborted) return void (await supervisor.endNow())
    signal.addEventListener('abort', endThread)
    const found = await thread.count(ask)
    supervisor.finished()
    return found
  } catch (error) {
    supervisor.lost(error)
    return undefined
  } finally {
    signal.removeEventListener('abort', endThread)
  }
}
