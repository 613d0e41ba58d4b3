import type { MaybePromise } from '../base/maybe-promise.ts'

/**
 * Which node runs a background job that all of them have. Among several nodes a lock is lent for a time by the database's
 * clock, prolonged until it is left, and given to another only when its node has been silent for that long; of two that ask
 * at once one gets it. A node that was paused may come back to work that another has begun: what must not happen twice is
 * guarded in its own transaction as well.
 */
export interface JobLocks {
  /** Whether the job is this node's to run now. */
  take(job: string): MaybePromise<boolean>
  /** The run is over. */
  leave(job: string): MaybePromise<void>
}

/** One process runs all of its jobs; that none runs twice at once is the scheduler's own affair (docs/reference/jobs.md#a-run). */
export const ownJobs: JobLocks = { take: () => true, leave: () => {} }

/** The work of a job, left out where another node is at it. */
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
