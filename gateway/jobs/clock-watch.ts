import { type Clock, unixSeconds } from '../base/clock.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import { parsed } from '../base/json.ts'
import type { Logger } from '../base/logger.ts'
import type { Db } from '../store/database.ts'
import { jobRunStore } from '../store/job-runs.ts'
import { newestStamp } from '../store/newest-stamp.ts'
import type { JobRunRow } from '../store/schema-jobs.ts'

/** Judges whether the wall clock can be believed by what removes rows by their age (docs/reference/reliability.md#clocks). */
export interface ClockWatch {
  /** The refusal of a job that removes by age while the clock is further ahead than anything explains; undefined else. */
  refusal(): GatewayError | undefined
}

type ClockWatchDeps = Readonly<{ db: Db; clock: Clock; log: Pick<Logger, 'error' | 'info'> }>

/** Times are unix seconds: the last one that was believed, and the first that is not. */
type Doubt = Readonly<{ known: number; since: number }>

/** A machine may sleep, or the gateway be stopped, for so many seconds without doubt. */
export const UNDOUBTED_S = 3 * 86_400
/** A doubted clock that has gone on for so many seconds, over starts as well, is believed. */
export const STEADY_S = 86_400
const DOUBTED = 'job.clock_doubted'

/**
 * Reads what the last run knew of the time, before this one writes rows with stamps of its own. The last clean-up says it:
 * a refused one keeps the doubt over a start.
 */
export async function openClockWatch({ db, clock, log }: ClockWatchDeps): Promise<ClockWatch> {
  const last = (await jobRunStore(db).all()).find(({ name }) => name === 'retention')
  let doubt = doubtIn(last)
  const newest = doubt ? 0 : await newestStamp(db)
  let seen = { at: Math.max(last?.started_at ?? 0, newest) || unixSeconds(clock), ms: clock.monotonic() }
  const look = () => {
    const [now, ms] = [unixSeconds(clock), clock.monotonic()]
    const explained = seen.at + Math.round((ms - seen.ms) / 1000)
    const before = doubt
    doubt = doubtAfter(before, { now, explained })
    seen = { at: now, ms }
    if (doubt && !before) log.error('the clock is ahead; nothing is removed by age', wordsOf(doubt, now))
    if (!doubt && before) log.info('the clock is believed again')
  }
  look()
  return {
    refusal() {
      look()
      return doubt && refuse('internal', DOUBTED, wordsOf(doubt, seen.at))
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
const wordsOf = ({ known, since }: Doubt, now: number) => ({ now: text(now), known: text(known), since: text(since) })

/** The doubt in which the last clean-up was refused. */
function doubtIn(last: JobRunRow | undefined): Doubt | undefined {
  if (last?.message !== DOUBTED) return undefined
  const { known, since } = parsed(last.params) as Record<string, unknown> // what `wordsOf` wrote
  return { known: Date.parse(String(known)) / 1000, since: Date.parse(String(since)) / 1000 }
}
