import type { MaybePromise } from '../base/maybe-promise.ts'

/**
 * Decides which node runs a background job that all nodes have. With several nodes a lock is a lease by the database's
 * clock: it is extended until it is released, and passes to another node only after its owner has been silent for the
 * whole lease. Only one of two concurrent callers gets it. A paused node may resume work that another node has taken
 * over, so work that must not happen twice also needs a guard in its own transaction.
 */
export interface JobLocks {
  /** Returns whether this node may run the job now. */
  take(job: string): MaybePromise<boolean>
  leave(job: string): MaybePromise<void>
}

/**
 * For a single process, which runs all its jobs; the scheduler prevents overlapping runs
 * (docs/reference/jobs.md#a-run).
 */
export const ownJobs: JobLocks = { take: () => true, leave: () => {} }

/** Wraps a job's work so that it is skipped while another node runs it. */
export const onOneNode =
  (locks: JobLocks, job: string, work: () => Promise<void> | void) => async (): Promise<void> => {
    const taken = locks.take(job)
    if (!(taken instanceof Promise ? await taken : taken)) return
    try {
      await work()
    } finally {
      await locks.leave(job)
    }
  }
