import { type Clock, unixSeconds } from '../base/clock.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import { parsed } from '../base/json/json.ts'
import type { Logger } from '../base/log/logger.ts'
import { jobRunStore } from '../store/job-runs.ts'
import { newestStamp } from '../store/newest-stamp.ts'
import type { JobRunRow } from '../store/schema/schema-jobs.ts'
import type { Db } from '../store/sqlite/database.ts'

/** Decides whether the wall clock is plausible enough to delete rows by age (docs/reference/reliability.md#clocks). */
export interface ClockWatch {
  /** The refusal for a job that deletes by age while the clock is implausibly far ahead; otherwise undefined. */
  refusal(): GatewayError | undefined
}

type ClockWatchDeps = Readonly<{ db: Db; clock: Clock; log: Pick<Logger, 'error' | 'info'> }>

/** In unix seconds: `known` is the last plausible time, `since` the first implausible one. */
type Doubt = Readonly<{ known: number; since: number }>

/** Seconds that a machine may sleep, or the gateway be stopped, without raising doubt. */
export const UNDOUBTED_S = 3 * 86_400
/** A doubted clock is trusted again after running steadily for this many seconds, across restarts too. */
export const STEADY_S = 86_400
const DOUBTED = 'job.clock_doubted'

/**
 * Reads the last known time before this process writes rows with its own timestamps. It comes from the last clean-up; a
 * refused one preserves the doubt across a restart.
 */
export async function openClockWatch({ db, clock, log }: ClockWatchDeps): Promise<ClockWatch> {
  const last = (await jobRunStore(db).all()).find(({ name }) => name === 'retention')
  let doubt = doubtIn(last)
  const newest = doubt ? 0 : await newestStamp(db)
  let seen = { at: Math.max(last?.started_at ?? 0, newest) || unixSeconds(clock), ms: clock.monotonic() }
  const check = () => {
    const [now, ms] = [unixSeconds(clock), clock.monotonic()]
    const explained = seen.at + Math.round((ms - seen.ms) / 1000)
    const before = doubt
    doubt = doubtAfter(before, { now, explained })
    seen = { at: now, ms }
    if (doubt && !before) log.error('the clock is ahead; nothing is removed by age', paramsOf(doubt, now))
    if (!doubt && before) log.info('the clock is believed again')
  }
  check()
  return {
    refusal() {
      check()
      return doubt && refuse('internal', DOUBTED, paramsOf(doubt, seen.at))
    },
  }
}

function doubtAfter(before: Doubt | undefined, { now, explained }: Readonly<{ now: number; explained: number }>) {
  if (!before) return now - explained > UNDOUBTED_S ? { known: explained, since: now } : undefined
  const isSteady = Math.abs(now - explained) <= UNDOUBTED_S
  if (isSteady) return now - before.since < STEADY_S ? before : undefined
  return now - before.known > UNDOUBTED_S + STEADY_S ? { known: before.known, since: now } : undefined
}

const text = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 16)}Z`
const paramsOf = ({ known, since }: Doubt, now: number) => ({ now: text(now), known: text(known), since: text(since) })

function doubtIn(last: JobRunRow | undefined): Doubt | undefined {
  if (last?.message !== DOUBTED) return undefined
  const { known, since } = parsed(last.params) as Record<string, unknown> // written by `paramsOf`
  return { known: Date.parse(String(known)) / 1000, since: Date.parse(String(since)) / 1000 }
}
