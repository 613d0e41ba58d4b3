import { type JobName, jobNames } from '../../shared/jobs.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import { randomKey } from '../base/ids.ts'
import { type Job, type JobHandle, type JobReport, type JobRun, type Jobs, nothingDue } from '../base/jobs.ts'
import type { Logger } from '../base/log/logger.ts'
import { type JobLocks, onOneNode } from '../shared-state/job-locks.ts'
import { jobRunStore } from '../store/job-runs.ts'
import type { JobRunRow } from '../store/schema/schema-jobs.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { ClockWatch } from './clock-watch.ts'
import { createLastRuns, type LastRuns } from './last-runs.ts'

/** The state of a job. Times are unix seconds. */
export type JobState = Readonly<{
  name: JobName
  /** Milliseconds between two turns; 0 if the job runs only on request. */
  everyMs: number
  /** The job has work once a night; its turns only check whether the work is due. */
  isNightly: boolean
  isOnEveryNode: boolean
  running: Readonly<{ startedAt: number; by: string }> | null
  /** Another node holds the job's lock, so it is running there. */
  isElsewhere: boolean
  last: JobRunRow | null
  nextAt: number | null
}>

/** All background jobs of this node. No job runs twice at once on a node, and an error in one does not end another. */
export interface Scheduler extends Jobs {
  list(): Promise<JobState[]>
  /**
   * Starts a job in the background on behalf of a user. Throws if it is already running here or on another node, or was
   * started here by a user within the last `MIN_BY_HAND_MS`.
   */
  runNow(name: JobName, username: string): Promise<void>
  /** Starts no more turns, aborts running jobs, and waits at most `MAX_SHUTDOWN_MS` for them. */
  stop(): Promise<void>
}

type SchedulerDeps = Readonly<{
  db: Db
  clock: Clock
  locks: JobLocks
  log: Logger
  clockWatch: ClockWatch
  /** Jobs run only on request, as in a gateway that lives for one command. */
  isIdle?: boolean
}>

const MIN_BY_HAND_MS = 10_000
/** A job that does not end within this time after its abort is abandoned. */
export const MAX_SHUTDOWN_MS = 10_000

type Running = Readonly<{ startedAt: number; by: string; controller: AbortController; finished: Promise<void> }>
type ScheduledJob = {
  job: Job
  timer: NodeJS.Timeout | undefined
  current: Running | undefined
  /** Wall-clock milliseconds of the last turn, or of when the job was registered. */
  turnMs: number
  /** Monotonic milliseconds of the last manual run. */
  manualMs: number
}

export function createScheduler({ db, clock, locks, log, clockWatch, isIdle = false }: SchedulerDeps): Scheduler {
  const jobs = new Map<JobName, ScheduledJob>()
  const lastRuns = createLastRuns({ store: jobRunStore(db), clock, log })
  let stopping: Promise<void> | undefined

  const begin = createStarter({ clock, locks, log, clockWatch }, lastRuns)
  const stopAll = async (): Promise<void> => {
    const all = [...jobs.values()]
    await waitAtMost(Promise.all(all.map(end)), MAX_SHUTDOWN_MS)
    const unfinished = all.filter(({ current }) => current).map(({ job }) => job.name)
    if (unfinished.length > 0) log.warn('background jobs did not end in time', { jobs: unfinished })
    await lastRuns.flush()
  }

  return {
    begin(job): JobHandle {
      const scheduled: ScheduledJob = {
        job,
        timer: undefined,
        current: undefined,
        turnMs: clock.now(),
        manualMs: -Infinity,
      }
      const turn = () => {
        scheduled.turnMs = clock.now()
        // Errors are already logged.
        if (!scheduled.current && !stopping) begin(scheduled, '').catch(() => undefined)
      }
      if (job.everyMs > 0 && !isIdle) scheduled.timer = setInterval(turn, job.everyMs).unref()
      jobs.set(job.name, scheduled)
      const stop = async () => {
        const finished = end(scheduled)
        await (stopping ? Promise.race([finished, stopping]) : waitAtMost(finished, MAX_SHUTDOWN_MS))
        jobs.delete(job.name)
      }
      return { stop }
    },
    async list() {
      const [last, locked] = await Promise.all([lastRuns.all(), jobRunStore(db).locked(unixSeconds(clock))])
      return jobNames.flatMap((name) => {
        const scheduled = jobs.get(name)
        return scheduled ? [stateOf(scheduled, { last: last.get(name), isLocked: locked.has(name) }, clock)] : []
      })
    },
    async runNow(name, username) {
      const scheduled = jobs.get(name)
      if (!scheduled) throw refuse('missing', 'job.unknown')
      if (scheduled.current || stopping) throw refuse('invalid', 'job.running')
      const waitMs = scheduled.manualMs + MIN_BY_HAND_MS - clock.monotonic()
      if (waitMs > 0) throw refuse('invalid', 'job.too_soon', { seconds: Math.ceil(waitMs / 1000) })
      if (!(await begin(scheduled, username))) throw refuse('invalid', 'job.elsewhere')
      scheduled.manualMs = clock.monotonic()
    },
    stop() {
      stopping ??= stopAll()
      return stopping
    },
  }
}

type StarterDeps = Pick<SchedulerDeps, 'clock' | 'locks' | 'log' | 'clockWatch'>

/**
 * Returns a function that starts a run of an idle job, and resolves to whether the run started: false if another node
 * is running the job.
 */
function createStarter({ clock, locks, log, clockWatch }: StarterDeps, lastRuns: LastRuns) {
  const carryOut = async (
    { job }: ScheduledJob,
    { controller, startedAt, by }: Omit<Running, 'finished'>,
  ): Promise<void> => {
    const startedMs = clock.monotonic()
    const work: Job['work'] = async (run) => {
      const refusal = job.removesByAge && by === '' ? await clockWatch.refusal() : undefined
      if (refusal) throw refusal
      return job.work(run)
    }
    const outcome = await outcomeOf({ ...job, work }, { signal: controller.signal, by: by || undefined }, log)
    const isNothing = outcome === nothingDue
    const took_ms = Math.round(clock.monotonic() - startedMs)
    const run = { name: job.name, started_at: startedAt, took_ms, username: by }
    await lastRuns.note({ ...run, ...(isNothing ? idle : outcome) }, isNothing)
  }

  return (scheduled: ScheduledJob, by: string): Promise<boolean> => {
    const { job } = scheduled
    const taken = Promise.withResolvers<boolean>()
    const current = { startedAt: unixSeconds(clock), by, controller: new AbortController() }
    const work = async () => {
      try {
        const run = () => {
          taken.resolve(true)
          return carryOut(scheduled, current)
        }
        await (job.isOnEveryNode ? run() : onOneNode(locks, job.name, run)())
        taken.resolve(false)
      } catch (error) {
        taken.reject(error)
        log.error('a background job could not be begun or ended', { job: job.name, error })
      } finally {
        scheduled.current = undefined
      }
    }
    scheduled.current = { ...current, finished: work() }
    return taken.promise
  }
}

/** Stops further turns; resolves once the current run, which is aborted, has ended. */
async function end({ timer, current }: ScheduledJob): Promise<void> {
  clearInterval(timer)
  current?.controller.abort()
  await current?.finished
}

const idle = { outcome: 'done', message: 'job.nothing', params: '{}' } as const

type StoredState = Readonly<{ last: JobRunRow | undefined; isLocked: boolean }>

function stateOf({ job, current, turnMs }: ScheduledJob, { last, isLocked }: StoredState, clock: Clock): JobState {
  const { name, everyMs, isOnEveryNode = false, nextAt } = job
  const nowMs = clock.now()
  const nextMs = Math.max(nextAt?.(nowMs) ?? turnMs + everyMs, nowMs)
  return {
    name,
    everyMs,
    isNightly: nextAt !== undefined,
    isOnEveryNode,
    running: current ? { startedAt: current.startedAt, by: current.by } : null,
    isElsewhere: isLocked && !current && !isOnEveryNode,
    last: last ?? null,
    nextAt: everyMs > 0 ? Math.floor(nextMs / 1000) : null,
  }
}

async function waitAtMost(finished: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([finished, late.promise])
  clearTimeout(timer)
}

type Outcome = Pick<JobRunRow, 'outcome' | 'message' | 'params'>

const ID_LENGTH = 12

/**
 * Runs a job's work and returns its outcome; never throws. A `GatewayError` is stored as its message, any other error
 * as the id under which it is logged, because its text may contain confidential data.
 */
async function outcomeOf({ name, work }: Job, run: JobRun, log: Logger): Promise<Outcome | typeof nothingDue> {
  try {
    const report = await work(run)
    if (report === nothingDue) return nothingDue
    return outcomeWith(run.signal.aborted ? 'stopped' : 'done', report)
  } catch (error) {
    if (run.signal.aborted) return outcomeWith('stopped')
    if (error instanceof GatewayError) return outcomeWith('failed', error)
    const id = randomKey(ID_LENGTH)
    log.error('background job failed', { job: name, id, error })
    return outcomeWith('failed', { key: 'job.fault', params: { id } })
  }
}

const outcomeWith = (outcome: Outcome['outcome'], report?: JobReport): Outcome => ({
  outcome,
  message: report?.key ?? '',
  params: JSON.stringify(report?.params ?? {}),
})
