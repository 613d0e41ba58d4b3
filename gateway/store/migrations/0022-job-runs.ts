import { build, columnsFor, type Migration } from './column.ts'

/** The last run of each background job. */
export const jobRuns: Migration = {
  name: 'job runs',
  async up(db, dialect) {
    const { text, whole, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('job_runs'),
      text('name', undefined, (column) => column.primaryKey()),
      whole('started_at'),
      whole('took_ms'),
      text('outcome'),
      text('message'),
      text('params'),
      text('username'),
      strict,
    ).execute()
  },
}
