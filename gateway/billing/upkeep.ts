import pLimit from 'p-limit'
import type { Cleanup } from '../../shared/api/ledger.ts'
import { unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import type { InTurn } from '../base/in-turn.ts'
import { type JobReport, type JobRun, type Jobs, nothingDue } from '../base/jobs.ts'
import type { Logger } from '../base/log/logger.ts'
import { ledgerCheckStore } from '../store/ledger/ledger-checks.ts'
import type { LedgerChecks } from './ledger-checks.ts'
import { type Removed, type RetentionDeps, removeOld } from './retention.ts'

/** Background maintenance of the ledger: the nightly ledger check, and the clean-up after it and after every start. */
export interface Upkeep {
  /** Deletes data past its retention in the background; throws if already running. */
  cleanUp(): void
  isCleaning(): boolean
  /** The last clean-up completed since the start; null if there was none. */
  lastCleanup(): Cleanup | null
  /** Runs what is due, the check first, as the two jobs do every minute. */
  tick(): Promise<void>
  idle(): Promise<void>
  stop(): Promise<void>
}

type UpkeepDeps = RetentionDeps &
  Readonly<{
    log: Logger
    checks: LedgerChecks
    jobs: Jobs
    /** Serializes checks, clean-ups and imports. */
    inTurn: InTurn
  }>

/** The local hour at which the check and the clean-up are due; a machine that was asleep runs them when it wakes. */
export const NIGHT_HOUR = 3
const TICK_MS = 60_000

export function createUpkeep(deps: UpkeepDeps): Upkeep {
  const { checks, clock, jobs } = deps
  const cleaning = createCleaning(deps)
  const mutex = pLimit(1)
  const check = async ({ by }: Pick<JobRun, 'by'>): Promise<JobReport | typeof nothingDue> => {
    const isDue = checks.running() === null && !isSinceLastNight(await checks.lastEnded(), clock.now())
    if (by !== undefined) checks.begin('new', { kind: 'user', username: by })
    else if (isDue) checks.begin('new', { kind: 'schedule' })
    else return nothingDue
    await checks.idle()
    const [last] = await ledgerCheckStore(deps.db).newest(1)
    if (last?.state === 'failed') throw refuse('internal', 'job.check_failed')
    return { key: 'job.checked', params: { n: last?.differences ?? 0 } }
  }
  const clean = async ({ by }: Pick<JobRun, 'by'>): Promise<JobReport | typeof nothingDue> => {
    await checks.idle()
    if (by === undefined && !cleaning.isDue()) return nothingDue
    if (!(await cleaning.begin())) throw refuse('internal', 'job.cleanup_failed')
    const { logs = 0, ledger = 0 } = cleaning.last() ?? {}
    return { key: 'job.cleaned', params: { logs, ledger } }
  }
  const nightly = { everyMs: TICK_MS, nextAt: nextNight } as const
  const startedJobs = [
    jobs.begin({
      ...nightly,
      name: 'ledger-check',
      work({ signal, by }) {
        signal.addEventListener('abort', () => checks.cancel())
        return mutex(() => check({ by }))
      },
    }),
    jobs.begin({
      ...nightly,
      name: 'retention',
      removesByAge: true,
      nextAt: (nowMs) => (cleaning.isDue() ? undefined : nextNight(nowMs)),
      work({ signal, by }) {
        signal.addEventListener('abort', () => cleaning.end())
        return mutex(() => clean({ by }))
      },
    }),
  ]
  const onTime = { by: undefined }
  return {
    cleanUp() {
      if (cleaning.running()) throw refuse('invalid', 'ledger.cleanup_running')
      void cleaning.begin()
    },
    isCleaning: () => cleaning.running() !== undefined,
    lastCleanup: cleaning.last,
    async tick() {
      await check(onTime)
      await clean(onTime)
    },
    idle: async () => void (await cleaning.running()),
    async stop() {
      cleaning.end()
      await checks.stop()
      await Promise.all(startedJobs.map((job) => job.stop()))
      await cleaning.running()
    },
  }
}

function createCleaning(deps: UpkeepDeps) {
  const { clock, log, inTurn } = deps
  const ending = new AbortController()
  let last: Cleanup | null = null
  let triedAt = 0
  let running: Promise<boolean> | undefined
  const clean = async (): Promise<boolean> => {
    const removed: Removed = { logs: 0, ledger: 0 }
    triedAt = unixSeconds(clock)
    try {
      await inTurn(() => removeOld(deps, removed, ending.signal), ending.signal)
      last = { ended_at: unixSeconds(clock), ...removed }
      if (removed.logs + removed.ledger > 0) log.info('old entries were removed', removed)
      return true
    } catch (error) {
      log.error('old entries could not be removed', { error })
      return false
    }
  }
  return {
    /** Whether no run was attempted since the last night, or since the start. */
    isDue: () => !isSinceLastNight(triedAt, clock.now()),
    begin(): Promise<boolean> {
      running ??= clean().finally(() => {
        running = undefined
      })
      return running
    },
    running: () => running,
    last: () => last,
    /** Aborts permanently: the gateway is stopping. */
    end: () => ending.abort(),
  }
}

/**
 * Whether a time in unix seconds is after the last night, and not in the future: a clock that was ahead may have set
 * it.
 */
const isSinceLastNight = (at: number, nowMs: number): boolean => at >= lastNight(nowMs) && at * 1000 <= nowMs

/** The last time it was `NIGHT_HOUR` in the machine's time zone, in unix seconds. */
export function lastNight(nowMs: number): number {
  const night = new Date(nowMs)
  night.setHours(NIGHT_HOUR, 0, 0, 0)
  if (night.getTime() > nowMs) night.setDate(night.getDate() - 1)
  return Math.floor(night.getTime() / 1000)
}

/** The next time it will be `NIGHT_HOUR`, in wall-clock milliseconds. */
export function nextNight(nowMs: number): number {
  const night = new Date(lastNight(nowMs) * 1000)
  night.setDate(night.getDate() + 1)
  return night.getTime()
}
