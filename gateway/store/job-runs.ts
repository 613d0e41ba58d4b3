import type { Db } from './database.ts'
import type { JobRunRow } from './schema-jobs.ts'

/** A run that is said to have begun so many seconds later was noted by a clock that was ahead. */
const AHEAD_S = 86_400

/** Whether a run is later than another: not where that is of a clock that was ahead. */
export const isLater = (one: number, other: number): boolean => one > other && one <= other + AHEAD_S

/** What is known of the last runs. */
export const jobRunStore = (db: Db) => ({
  all: (): Promise<JobRunRow[]> => db.selectFrom('job_runs').selectAll().execute(),

  /** Names of locks that a node has beyond a time, in unix seconds: the jobs that are under way somewhere. */
  async locked(now: number): Promise<ReadonlySet<string>> {
    const rows = await db.selectFrom('locks').select('name').where('until', '>', now).execute()
    return new Set(rows.map(({ name }) => name))
  },

  /** Keeps a run, unless `isLater` says of the one that is there that another node has had it. */
  async put(row: JobRunRow): Promise<void> {
    await db
      .insertInto('job_runs')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(({ ref }) => ({
            started_at: ref('excluded.started_at'),
            took_ms: ref('excluded.took_ms'),
            outcome: ref('excluded.outcome'),
            message: ref('excluded.message'),
            params: ref('excluded.params'),
            username: ref('excluded.username'),
          }))
          .where(({ eb, or, ref }) => {
            const [kept, added] = [ref('job_runs.started_at'), ref('excluded.started_at')]
            return or([eb(added, '>=', kept), eb(kept, '>', eb(added, '+', AHEAD_S))])
          }),
      )
      .execute()
  },
})
