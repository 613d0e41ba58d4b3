import type { JobName } from '../../shared/jobs.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import type { Params } from './errors.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** What a run of a job has done, in words for administrators: no secrets in its values. */
export type JobReport = Readonly<{ key: MessageKey; params?: Params }>

/** Tells that there was nothing to do: such a turn is no run, and is not written down. */
export const nothingDue = Symbol('nothing due')

/** One run: what ends it early, and who has asked for it, where it was not the clock. */
export type JobRun = Readonly<{ signal: AbortSignal; by: string | undefined }>

/** A repeating background job. */
export type Job = Readonly<{
  name: JobName
  /** How often it takes a turn, the first after that time; 0 is never but when somebody asks. */
  everyMs: number
  /** Each node does it for itself: the others of several leave it to one. */
  isOnEveryNode?: boolean
  /** What it removes is old by the wall clock: it is refused while that is doubted, unless somebody asks for it. */
  removesByAge?: boolean
  /** When it will do something next, in wall milliseconds, where its turns are only to look; undefined at its next turn. */
  nextAt?: (nowMs: number) => number | undefined
  /** What it throws is told as its result, and ends nothing else. */
  work: (run: JobRun) => MaybePromise<JobReport | typeof nothingDue | undefined>
}>

/** A job that was begun; `stop` has no further turn begin, tells the one on its way to end, and waits for it a while. */
export type BegunJob = Readonly<{ stop(): Promise<void> }>

/** Where jobs are begun (docs/reference/jobs.md). */
export interface Jobs {
  begin(job: Job): BegunJob
}
