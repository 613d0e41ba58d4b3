import type { Selectable } from 'kysely'

/** The `job_runs` table: the last run of each background job (docs/reference/jobs.md). */
export interface JobRunsTable {
  name: string
  /** Unix seconds. */
  started_at: number
  took_ms: number
  outcome: 'done' | 'failed' | 'stopped'
  /** The key of a message and its values as JSON; empty where there is nothing to say. */
  message: string
  params: string
  /** Who asked for it; empty for the clock. */
  username: string
}

/** The last run of one job. */
export type JobRunRow = Selectable<JobRunsTable>
