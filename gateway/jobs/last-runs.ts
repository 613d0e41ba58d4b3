import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import { isLater, type jobRunStore } from '../store/job-runs.ts'
import type { JobRunRow } from '../store/schema/schema-jobs.ts'

/** The last run of each job: in memory at once, and in the database for other nodes and later processes. */
export interface LastRuns {
  /**
   * Records a run. A run that found nothing to do is recorded only if a user started it, or if the run before it
   * failed.
   */
  note(row: JobRunRow, isNothing: boolean): Promise<void>
  /** By job name, including runs of other nodes and earlier processes. */
  all(): Promise<ReadonlyMap<string, JobRunRow>>
  flush(): Promise<void>
}

type LastRunsDeps = Readonly<{
  store: ReturnType<typeof jobRunStore>
  clock: Pick<Clock, 'monotonic'>
  log: Logger
}>

/** A frequent job whose outcome stays the same is written at most this often. */
const WRITE_EVERY_MS = 60_000

export function createLastRuns({ store, clock, log }: LastRunsDeps): LastRuns {
  const runs = new Map<string, { row: JobRunRow; writtenMs: number; isWritten: boolean }>()
  const write = (row: JobRunRow) =>
    store.put(row).catch((error: unknown) => log.warn('the run of a background job could not be stored', { error }))
  return {
    async note(row, isNothing) {
      const before = runs.get(row.name)
      if (isNothing && row.username === '' && before?.row.outcome !== 'failed') return
      const now = clock.monotonic()
      const isSameOutcome =
        before?.row.outcome === row.outcome && before.row.username === row.username && row.username === ''
      const waits = isSameOutcome && now - before.writtenMs < WRITE_EVERY_MS
      runs.set(row.name, { row, writtenMs: waits ? before.writtenMs : now, isWritten: !waits })
      if (!waits) await write(row)
    },
    async all() {
      const last = new Map((await store.all()).map((row) => [row.name, row]))
      for (const { row } of runs.values())
        if (!isLater(last.get(row.name)?.started_at ?? 0, row.started_at)) last.set(row.name, row)
      return last
    },
    async flush() {
      for (const one of runs.values()) {
        if (!one.isWritten) await write(one.row)
        one.isWritten = true
      }
    },
  }
}
