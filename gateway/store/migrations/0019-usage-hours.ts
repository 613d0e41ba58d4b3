import { sql } from 'kysely'
import { build, columnsFor, type Migration } from './column.ts'

/**
 * Usage by hour beside `quota_data`: of everybody, of each user, token and model; how long requests took, in buckets; and how
 * far the log of before has been counted. What is in the log now is counted later, in steps; what comes is counted with its
 * charge.
 */
export const usageHours: Migration = {
  name: 'usage-hours',
  async up(db, dialect) {
    const { whole, text, strict } = columnsFor(dialect)
    const byKey = dialect === 'sqlite' ? sql`strict, without rowid` : undefined
    await db.schema.createIndex('quota_data_user').on('quota_data').columns(['user_id', 'created_at']).execute()
    await build(
      db.schema.createTable('usage_hours'),
      text('kind'),
      whole('created_at'),
      text('subject'),
      whole('count', 0),
      whole('errors', 0),
      whole('quota', 0),
      whole('token_used', 0),
      (table) => table.addPrimaryKeyConstraint('usage_hours_key', ['kind', 'created_at', 'subject'] as never),
      (table) => (byKey ? table.modifyEnd(byKey) : table),
    ).execute()
    await build(
      db.schema.createTable('latency_hours'),
      text('measure'),
      whole('created_at'),
      whole('bucket'),
      whole('count', 0),
      (table) => table.addPrimaryKeyConstraint('latency_hours_key', ['measure', 'created_at', 'bucket'] as never),
      (table) => (byKey ? table.modifyEnd(byKey) : table),
    ).execute()
    await build(
      db.schema.createTable('usage_backfill'),
      whole('id', undefined, (column) => column.primaryKey().check(sql`id = 1`)),
      whole('before_id'),
      whole('newest_at'),
      strict,
    ).execute()
    await sql`insert into usage_backfill (id, before_id, newest_at)
      select 1, coalesce(max(id), 0) + 1, coalesce(max(created_at), 0) from logs`.execute(db)
  },
}
