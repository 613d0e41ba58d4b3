import type { JobName } from '../../shared/jobs.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { Params } from './errors.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** The result of a job's run, as a message for administrators: no secrets in its values. */
export type JobReport = Readonly<{ key: MessageKey; params?: Params }>

/** Returned if there was nothing to do: such a turn does not count as a run and is not recorded. */
export const nothingDue = Symbol('nothing due')

/** Seconds that the wall clock may be ahead without doubt: a machine may sleep, or the gateway be stopped, that long. */
export const UNDOUBTED_S = 3 * 86_400

/**
 * Seconds between the expiry of a row and its deletion: as long as its lifetime, so that a clock that is ahead by less
 * than that, and without doubt, deletes nothing that has not expired.
 */
export const deletionDelayS = (lifetimeS: number): number => Math.min(lifetimeS, UNDOUBTED_S)

/** One run: the signal that aborts it, and the user who started it, or undefined if the schedule did. */
export type JobRun = Readonly<{ signal: AbortSignal; by: string | undefined }>

export type Job = Readonly<{
  name: JobName
  /** Milliseconds between turns, and before the first one; 0 if the job runs only on request. */
  everyMs: number
  /** Every node runs the job itself; otherwise only one of several nodes does. */
  isOnEveryNode?: boolean
  /** Deletes rows by wall-clock age: refused while the clock is doubted, unless a user starts it. */
  removesByAge?: boolean
  /**
   * The next time the job has work, in wall-clock milliseconds, for a job whose turns only check whether it is due;
   * undefined means at its next turn.
   */
  nextAt?: (nowMs: number) => number | undefined
  /** An error becomes the run's result and affects nothing else. */
  work: (run: JobRun) => MaybePromise<JobReport | typeof nothingDue | undefined>
}>

/** A registered job; `stop` prevents further turns, aborts the current run, and waits a while for it. */
export type JobHandle = Readonly<{ stop(): Promise<void> }>

/** Registers background jobs (docs/reference/jobs.md). */
export interface Jobs {
  begin(job: Job): JobHandle
}
