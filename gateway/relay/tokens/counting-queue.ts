import type { Ask, Told } from './counting-thread.ts'
import type { ThreadKeeper } from './thread-keeper.ts'

export type QueueLimits = Readonly<{
  /** Jobs that wait; more are turned away. */
  waiting: number
  /** How long a job may take, its wait included. */
  patienceMs: number
}>

/** Jobs for the one counting thread. */
export interface CountingQueue {
  /** Undefined when the job was turned away, took too long or lost its thread. */
  count(ask: Ask): Promise<Told | undefined>
  /** Ends the thread; what waits is told undefined. */
  close(): Promise<void>
}

type Job = { ask: Ask; tell: (told: Told | undefined) => void; isOver: boolean }

/** Gives jobs to the thread one by one, so that losing it loses one job. */
export function createCountingQueue(keeper: ThreadKeeper, limits: QueueLimits): CountingQueue {
  const waiting: Job[] = []
  let working: Job | undefined
  let work: Promise<void> | undefined
  let closed = false
  const workThrough = async () => {
    for (working = waiting.shift(); working; working = waiting.shift()) await run(keeper, working)
    work = undefined
    keeper.endLater()
  }
  const giveUp = (job: Job) => {
    job.isOver = true
    job.tell(undefined)
    const at = waiting.indexOf(job)
    if (at >= 0) waiting.splice(at, 1)
    else if (job === working) void keeper.endNow()
  }
  return {
    async count(ask) {
      if (closed || waiting.length >= limits.waiting || keeper.isResting()) return undefined
      const { promise, resolve } = Promise.withResolvers<Told | undefined>()
      const job: Job = { ask, tell: resolve, isOver: false }
      const patience = setTimeout(giveUp, limits.patienceMs, job).unref()
      waiting.push(job)
      work ??= workThrough()
      const told = await promise
      clearTimeout(patience)
      return told
    },
    async close() {
      closed = true
      for (const job of [...waiting, ...(working ? [working] : [])]) giveUp(job)
      await work
      await keeper.endNow()
    },
  }
}

async function run(keeper: ThreadKeeper, job: Job): Promise<void> {
  try {
    const thread = await keeper.thread()
    if (job.isOver) return
    job.tell(await thread.count(job.ask))
    keeper.finished()
  } catch (error) {
    job.tell(undefined)
    keeper.lost(error)
  }
}
