import type { Selectable } from 'kysely'

/** The `job_runs` table: the last run of each background job (docs/reference/jobs.md). */
export interface JobRunsTable {
  name: string
  started_at: number
  took_ms: number
  outcome: 'done' | 'failed' | 'stopped'
  /** Message key and JSON parameters; empty if there is no message. */
  message: string
  params: string
  /** Who started the job; empty if the schedule did. */
  username: string
}

export type JobRunRow = Selectable<JobRunsTable>
