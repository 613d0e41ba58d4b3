import { type JobName, jobNames } from '../../shared/jobs.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import { randomKey } from '../base/ids.ts'
import { type BegunJob, type Job, type JobReport, type JobRun, type Jobs, nothingDue } from '../base/jobs.ts'
import type { Logger } from '../base/logger.ts'
import { type JobLocks, onOneNode } from '../shared-state/job-locks.ts'
import type { Db } from '../store/database.ts'
import { jobRunStore } from '../store/job-runs.ts'
import type { JobRunRow } from '../store/schema-jobs.ts'
import type { ClockWatch } from './clock-watch.ts'
import { createLastRuns, type LastRuns } from './last-runs.ts'

/** How a job stands. Times are unix seconds. */
export type JobState = Readonly<{
  name: JobName
  /** Milliseconds between two turns; 0 where it runs only when it is asked for. */
  everyMs: number
  /** It does something once a night; its turns are to look. */
  isNightly: boolean
  isOnEveryNode: boolean
  running: Readonly<{ startedAt: number; by: string }> | null
  /** Another node has the job's lock, and so is at it. */
  isElsewhere: boolean
  last: JobRunRow | null
  nextAt: number | null
}>

/** All background jobs of this node: none runs twice at once, and none ends by what another one throws. */
export interface Scheduler extends Jobs {
  list(): Promise<JobState[]>
  /**
   * Runs a job now, in the background, in somebody's name. Refuses one that is on its way here or on another node, and the
   * same one again within `MIN_BY_HAND_MS`.
   */
  runNow(name: JobName, username: string): Promise<void>
  /** No turn begins any more; what runs is told to end, and is waited for at most `MAX_SHUTDOWN_MS`. */
  stop(): Promise<void>
}

type SchedulerDeps = Readonly<{
  db: Db
  clock: Clock
  locks: JobLocks
  log: Logger
  clockWatch: ClockWatch
  /** No job takes a turn by itself, such as in a gateway that lives for one command. */
  isIdle?: boolean
}>

/** One job is run by hand at most so often. */
const MIN_BY_HAND_MS = 10_000
/** A job that does not end when it is told to is left behind after this time. */
export const MAX_SHUTDOWN_MS = 10_000

type Going = Readonly<{ startedAt: number; by: string; ending: AbortController; over: Promise<void> }>
type Begun = {
  job: Job
  timer: NodeJS.Timeout | undefined
  going: Going | undefined
  /** When it had its last turn, or was begun: wall milliseconds. */
  turnMs: number
  /** When somebody has asked for it last, by the monotonic clock. */
  askedMs: number
}

/** No job at first; whoever has one begins it. */
export function createScheduler({ db, clock, locks, log, clockWatch, isIdle = false }: SchedulerDeps): Scheduler {
  const jobs = new Map<JobName, Begun>()
  const lasts = createLastRuns({ store: jobRunStore(db), clock, log })
  let left: Promise<void> | undefined

  const begin = createBeginning({ clock, locks, log, clockWatch }, lasts)
  const leave = async (): Promise<void> => {
    const all = [...jobs.values()]
    await atMost(Promise.all(all.map(end)), MAX_SHUTDOWN_MS)
    const behind = all.filter(({ going }) => going).map(({ job }) => job.name)
    if (behind.length > 0) log.warn('background jobs did not end in time', { jobs: behind })
    await lasts.flush()
  }

  return {
    begin(job): BegunJob {
      const begun: Begun = { job, timer: undefined, going: undefined, turnMs: clock.now(), askedMs: -Infinity }
      const turn = () => {
        begun.turnMs = clock.now()
        // What is thrown was told already.
        if (!begun.going && !left) begin(begun, '').catch(() => undefined)
      }
      if (job.everyMs > 0 && !isIdle) begun.timer = setInterval(turn, job.everyMs).unref()
      jobs.set(job.name, begun)
      const stop = async () => {
        const over = end(begun)
        await (left ? Promise.race([over, left]) : atMost(over, MAX_SHUTDOWN_MS))
        jobs.delete(job.name)
      }
      return { stop }
    },
    async list() {
      const [last, locked] = await Promise.all([lasts.all(), jobRunStore(db).locked(unixSeconds(clock))])
      return jobNames.flatMap((name) => {
        const begun = jobs.get(name)
        return begun ? [stateOf(begun, { last: last.get(name), isLocked: locked.has(name) }, clock)] : []
      })
    },
    async runNow(name, username) {
      const begun = jobs.get(name)
      if (!begun) throw refuse('missing', 'job.unknown')
      if (begun.going || left) throw refuse('invalid', 'job.running')
      const waitMs = begun.askedMs + MIN_BY_HAND_MS - clock.monotonic()
      if (waitMs > 0) throw refuse('invalid', 'job.too_soon', { seconds: Math.ceil(waitMs / 1000) })
      if (!(await begin(begun, username))) throw refuse('invalid', 'job.elsewhere')
      begun.askedMs = clock.monotonic()
    },
    stop() {
      left ??= leave()
      return left
    },
  }
}

type BeginningDeps = Pick<SchedulerDeps, 'clock' | 'locks' | 'log' | 'clockWatch'>

/** Begins a run of a job that has none on its way; answers whether it was begun, which it is not where another node is at it. */
function createBeginning({ clock, locks, log, clockWatch }: BeginningDeps, lasts: LastRuns) {
  const carriedOut = async ({ job }: Begun, { ending, startedAt, by }: Omit<Going, 'over'>): Promise<void> => {
    const begunMs = clock.monotonic()
    const work: Job['work'] = (run) => {
      const refusal = job.removesByAge && by === '' ? clockWatch.refusal() : undefined
      if (refusal) throw refusal
      return job.work(run)
    }
    const outcome = await outcomeOf({ ...job, work }, { signal: ending.signal, by: by || undefined }, log)
    const isNothing = outcome === nothingDue
    const took_ms = Math.round(clock.monotonic() - begunMs)
    const run = { name: job.name, started_at: startedAt, took_ms, username: by }
    await lasts.note({ ...run, ...(isNothing ? idle : outcome) }, isNothing)
  }

  return (begun: Begun, by: string): Promise<boolean> => {
    const { job } = begun
    const taken = Promise.withResolvers<boolean>()
    const going = { startedAt: unixSeconds(clock), by, ending: new AbortController() }
    const work = async () => {
      try {
        const run = () => {
          taken.resolve(true)
          return carriedOut(begun, going)
        }
        await (job.isOnEveryNode ? run() : onOneNode(locks, job.name, run)())
        taken.resolve(false)
      } catch (error) {
        taken.reject(error)
        log.error('a background job could not be begun or ended', { job: job.name, error })
      } finally {
        begun.going = undefined
      }
    }
    begun.going = { ...going, over: work() }
    return taken.promise
  }
}

/** No further turn begins; resolves once the one on its way, which is told to end, has ended. */
async function end({ timer, going }: Begun): Promise<void> {
  clearInterval(timer)
  going?.ending.abort()
  await going?.over
}

const idle = { outcome: 'done', message: 'job.nothing', params: '{}' } as const

type Known = Readonly<{ last: JobRunRow | undefined; isLocked: boolean }>

function stateOf({ job, going, turnMs }: Begun, { last, isLocked }: Known, clock: Clock): JobState {
  const { name, everyMs, isOnEveryNode = false, nextAt } = job
  const nowMs = clock.now()
  const nextMs = Math.max(nextAt?.(nowMs) ?? turnMs + everyMs, nowMs)
  return {
    name,
    everyMs,
    isNightly: nextAt !== undefined,
    isOnEveryNode,
    running: going ? { startedAt: going.startedAt, by: going.by } : null,
    isElsewhere: isLocked && !going && !isOnEveryNode,
    last: last ?? null,
    nextAt: everyMs > 0 ? Math.floor(nextMs / 1000) : null,
  }
}

/** Waits for something, and no longer than that. */
async function atMost(over: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([over, late.promise])
  clearTimeout(timer)
}

/** How a run ended, as it is kept. */
type Outcome = Pick<JobRunRow, 'outcome' | 'message' | 'params'>

const ID_LENGTH = 12

/**
 * Runs a job's work and tells how it ended; never throws. A refusal of ours is told in its words, everything else as the id
 * under which the log has it: what an error says may hold what nobody should read.
 */
async function outcomeOf({ name, work }: Job, run: JobRun, log: Logger): Promise<Outcome | typeof nothingDue> {
  try {
    const told = await work(run)
    if (told === nothingDue) return nothingDue
    return saying(run.signal.aborted ? 'stopped' : 'done', told)
  } catch (error) {
    if (run.signal.aborted) return saying('stopped')
    if (error instanceof GatewayError) return saying('failed', error)
    const id = randomKey(ID_LENGTH)
    log.error('background job failed', { job: name, id, error })
    return saying('failed', { key: 'job.fault', params: { id } })
  }
}

const saying = (outcome: Outcome['outcome'], report?: JobReport): Outcome => ({
  outcome,
  message: report?.key ?? '',
  params: JSON.stringify(report?.params ?? {}),
})
