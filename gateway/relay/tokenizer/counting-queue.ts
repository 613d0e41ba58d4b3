import type { CountRequest, ThreadCount } from './counting-thread.ts'
import { createSmallestFirst } from './smallest-first.ts'
import type { ThreadSupervisor } from './thread-supervisor.ts'

export type QueueLimits = Readonly<{
  /** Jobs that wait, the smallest first; of more, the largest are turned away. */
  waiting: number
  /** How long a job may take, its wait included. */
  timeoutMs: number
}>

/** Jobs for the one counting thread. */
export interface CountingQueue {
  /** Undefined when the job was turned away, took too long or lost its thread. */
  count(ask: CountRequest): Promise<ThreadCount | undefined>
  /** Ends the thread; what waits is told undefined. */
  close(): Promise<void>
}

type Job = { ask: CountRequest; tell: (counted: ThreadCount | undefined) => void; isOver: boolean }

/** Gives jobs to the thread one by one, so that losing it loses one job. */
export function createCountingQueue(supervisor: ThreadSupervisor, limits: QueueLimits): CountingQueue {
  const waiting = createSmallestFirst<Job>(limits.waiting)
  let working: Job | undefined
  let work: Promise<void> | undefined
  let closed = false
  const workThrough = async () => {
    for (working = waiting.next(); working; working = waiting.next()) await run(supervisor, working)
    work = undefined
    supervisor.endLater()
  }
  const giveUp = (job: Job) => {
    job.isOver = true
    job.tell(undefined)
    if (!waiting.remove(job) && job === working) void supervisor.endNow()
  }
  return {
    async count(ask) {
      if (closed || supervisor.isBackingOff()) return undefined
      const { promise, resolve } = Promise.withResolvers<ThreadCount | undefined>()
      const job: Job = { ask, tell: resolve, isOver: false }
      const cancellation = setTimeout(giveUp, limits.timeoutMs, job).unref()
      const size = ask.texts.reduce((sum, text) => sum + text.length, 0)
      const largest = waiting.add(job, size)
      if (largest) giveUp(largest)
      work ??= workThrough()
      const counted = await promise
      clearTimeout(cancellation)
      return counted
    },
    async close() {
      closed = true
      for (const job of [...waiting.takeAll(), ...(working ? [working] : [])]) giveUp(job)
      await work
      await supervisor.endNow()
    },
  }
}

async function run(supervisor: ThreadSupervisor, job: Job): Promise<void> {
  try {
    const thread = await supervisor.thread()
    if (job.isOver) return
    job.tell(await thread.count(job.ask))
    supervisor.finished()
  } catch (error) {
    job.tell(undefined)
    supervisor.lost(error)
  }
}
