import type { LimitFunction } from 'p-limit'
import type { Cleanup } from '../../shared/api/ledger.ts'
import { unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { intervalJob } from '../base/interval-job.ts'
import type { Logger } from '../base/logger.ts'
import { type JobLocks, onOneNode } from '../shared-state/job-locks.ts'
import type { LedgerChecks } from './ledger-checks.ts'
import { type Removed, type RetentionDeps, removeOld } from './retention.ts'

/** What keeps the ledger in order by itself: the nightly ledger check, and the clean-up after it and after every start. */
export interface Upkeep {
  /** Removes what the settings do not keep, in the background; refuses while that is going on. */
  cleanUp(): void
  isCleaning(): boolean
  /** The last clean-up that came to its end since the start; null before. */
  lastCleanup(): Cleanup | null
  /** Does what is due by the clock; the job calls it every minute. */
  tick(): Promise<void>
  /** Resolves when no clean-up is on its way. */
  idle(): Promise<void>
  stop(): Promise<void>
}

export type UpkeepDeps = RetentionDeps &
  Readonly<{
    log: Logger
    checks: LedgerChecks
    locks: JobLocks
    /** A clean-up and a check never run at the same time. */
    inTurn: LimitFunction
  }>

/** The local hour of the night at which both are due; a machine that slept through it does them when it wakes. */
export const NIGHT_HOUR = 3
const TICK_MS = 60_000

/** Starts the job; `stop` ends it. */
export function createUpkeep(deps: UpkeepDeps): Upkeep {
  const { checks, clock, log, inTurn } = deps
  const ending = new AbortController()
  let last: Cleanup | null = null
  let triedAt = 0
  let cleaning: Promise<void> | undefined
  const clean = async () => {
    const removed: Removed = { logs: 0, ledger: 0 }
    triedAt = unixSeconds(clock)
    try {
      await inTurn(() => removeOld(deps, removed, ending.signal))
      last = { ended_at: unixSeconds(clock), ...removed }
      if (removed.logs + removed.ledger > 0) log.info('old entries were removed', removed)
    } catch (error) {
      log.error('old entries could not be removed', { error })
    }
  }
  const begin = (): Promise<void> => {
    cleaning ??= clean().finally(() => {
      cleaning = undefined
    })
    return cleaning
  }
  const tick = async () => {
    const night = lastNight(clock.now())
    if (checks.running() === null && (await checks.lastEnded()) < night) checks.begin('new', { kind: 'schedule' })
    await checks.idle()
    if (triedAt < night || triedAt === 0) await begin()
  }
  const job = intervalJob('upkeep', TICK_MS, onOneNode(deps.locks, 'upkeep', tick), log)
  return {
    cleanUp() {
      if (cleaning) throw refuse('invalid', 'ledger.cleanup_running')
      void begin()
    },
    isCleaning: () => cleaning !== undefined,
    lastCleanup: () => last,
    tick,
    idle: async () => cleaning,
    async stop() {
      ending.abort()
      await checks.stop()
      await job.stop()
      await cleaning
    },
  }
}

/** When it was last `NIGHT_HOUR` by the machine's own time zone, in unix seconds. */
export function lastNight(nowMs: number): number {
  const night = new Date(nowMs)
  night.setHours(NIGHT_HOUR, 0, 0, 0)
  if (night.getTime() > nowMs) night.setDate(night.getDate() - 1)
  return Math.floor(night.getTime() / 1000)
}
