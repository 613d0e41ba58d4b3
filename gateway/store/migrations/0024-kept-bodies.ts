import { sql } from 'kysely'
import { build, columnsFor, type Migration } from './column.ts'

/** Bodies of calls that are kept on demand, and which tokens demand it; channels say so in their `setting`. */
export const keptBodies: Migration = {
  name: 'kept-bodies',
  async up(db, dialect) {
    const { whole, text, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('kept_bodies'),
      text('request_id', undefined, (column) => column.primaryKey()),
      whole('user_id'),
      whole('created_at'),
      text('model'),
      text('path'),
      whole('is_stream', 0),
      whole('status'),
      whole('duration_ms'),
      text('request', ''),
      text('request_state'),
      text('answer', ''),
      text('answer_state'),
      whole('bytes'),
      strict,
    ).execute()
    await db.schema.createIndex('kept_bodies_user').on('kept_bodies').column('user_id').execute()
    await db.schema.createIndex('kept_bodies_age').on('kept_bodies').columns(['created_at', 'bytes']).execute()
    const flag = dialect === 'sqlite' ? sql`integer` : sql`bigint`
    await db.schema
      .alterTable('tokens')
      .addColumn('keep_bodies', flag, (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
