import type { JobRunRow } from './schema/schema-jobs.ts'
import type { Db } from './sqlite/database.ts'

/**
 * If the stored run started more than this many seconds after the new one, its time comes from a clock that was ahead.
 */
const AHEAD_S = 86_400

/**
 * Returns whether the start `one` is later than the start `other`, but not so much later that a clock must have been
 * ahead.
 */
export const isLater = (one: number, other: number): boolean => one > other && one <= other + AHEAD_S

export const jobRunStore = (db: Db) => ({
  all: (): Promise<JobRunRow[]> => db.selectFrom('job_runs').selectAll().execute(),

  /** Names of locks held at this time (unix seconds), that is, of jobs in progress on some node. */
  async locked(now: number): Promise<ReadonlySet<string>> {
    const rows = await db.selectFrom('locks').select('name').where('until', '>', now).execute()
    return new Set(rows.map(({ name }) => name))
  },

  /** Stores a run, unless the stored one is later (`isLater`), which means that another node has run the job since. */
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
            const [stored, added] = [ref('job_runs.started_at'), ref('excluded.started_at')]
            return or([eb(added, '>=', stored), eb(stored, '>', eb(added, '+', AHEAD_S))])
          }),
      )
      .execute()
  },
})
