import type { Db } from './database.ts'
import type { JobRunRow } from './schema-jobs.ts'

/** What is known of the last runs. */
export const jobRunStore = (db: Db) => ({
  all: (): Promise<JobRunRow[]> => db.selectFrom('job_runs').selectAll().execute(),

  /** Names of locks that a node has beyond a time, in unix seconds: the jobs that are under way somewhere. */
  async locked(now: number): Promise<ReadonlySet<string>> {
    const rows = await db.selectFrom('locks').select('name').where('until', '>', now).execute()
    return new Set(rows.map(({ name }) => name))
  },

  /** Keeps a run, unless a later one of another node is there. */
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
          .whereRef('excluded.started_at', '>=', 'job_runs.started_at'),
      )
      .execute()
  },
})
