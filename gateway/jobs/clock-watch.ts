import { type Clock, unixSeconds } from '../base/clock.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import { UNDOUBTED_S } from '../base/jobs.ts'
import { objectIn, parsed } from '../base/json/json.ts'
import type { Logger } from '../base/log/logger.ts'
import { jobRunStore } from '../store/job-runs.ts'
import { newestStamp } from '../store/newest-stamp.ts'
import type { JobRunRow } from '../store/schema/schema-jobs.ts'
import type { Db } from '../store/sqlite/database.ts'

/** Decides whether the wall clock is plausible enough to delete rows by age (docs/reference/reliability.md#clocks). */
export interface ClockWatch {
  /** The refusal for a job that deletes by age while the clock is implausibly far ahead; otherwise undefined. */
  refusal(): Promise<GatewayError | undefined>
}

type ClockWatchDeps = Readonly<{ db: Db; clock: Clock; log: Pick<Logger, 'error' | 'info'> }>

/** In unix seconds: `known` is the last plausible time, `since` the first implausible one. */
type Doubt = Readonly<{ known: number; since: number }>

/** A doubted clock is trusted again after running steadily for this many seconds, across restarts too. */
export const STEADY_S = 86_400
/** Name of the row, among those of jobs, that stores the last time seen and, while the clock is doubted, the doubt. */
const ROW = 'clock'
const WRITE_EVERY_MS = 60_000

/**
 * Reads the last time seen before this process writes rows with its timestamps. It is stored apart from the log, whose
 * rows may have been written by a clock that was ahead. Only the first start uses the log.
 */
export async function openClockWatch({ db, clock, log }: ClockWatchDeps): Promise<ClockWatch> {
  const store = jobRunStore(db)
  const last = (await store.all()).find(({ name }) => name === ROW)
  let doubt = doubtIn(last)
  let seen = { at: last?.started_at || (await newestStamp(db)) || unixSeconds(clock), ms: clock.monotonic() }
  let writtenMs = Number.NEGATIVE_INFINITY
  const check = async (): Promise<void> => {
    const [now, ms] = [unixSeconds(clock), clock.monotonic()]
    const explained = seen.at + Math.round((ms - seen.ms) / 1000)
    const before = doubt
    doubt = doubtAfter(before, { now, explained })
    seen = { at: now, ms }
    if (doubt && !before) log.error('the clock is ahead; nothing is removed by age', paramsOf(doubt, now))
    if (!doubt && before) log.info('the clock is believed again')
    if (doubt === before && ms - writtenMs < WRITE_EVERY_MS) return
    writtenMs = ms
    const row = { name: ROW, started_at: now, took_ms: 0, outcome: 'done', message: '', username: '' } as const
    await store.put({ ...row, params: JSON.stringify(doubt ?? {}) }).catch((error: unknown) => {
      log.error('the time could not be stored', { error })
    })
  }
  await check()
  return {
    async refusal() {
      await check()
      return doubt && refuse('internal', 'job.clock_doubted', paramsOf(doubt, seen.at))
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
  const { known, since } = objectIn(parsed(last?.params ?? ''))
  return typeof known === 'number' && typeof since === 'number' ? { known, since } : undefined
}
