import { sql } from 'kysely'
import { build, columnsFor, type Migration } from './column.ts'

/**
 * What the hours count a charge as that may be taken back, beside its row in the ledger; and how often each channel served and
 * failed by hour, counted from now on. Beside them where the videos of a drawing are.
 */
export const hoursThatAgree: Migration = {
  name: 'hours-that-agree',
  async up(db, dialect) {
    const { whole } = columnsFor(dialect)
    await db.schema
      .alterTable('ledger')
      .addColumn('counted_as', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .alterTable('midjourneys')
      .addColumn('video_urls', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await build(
      db.schema.createTable('channel_hours'),
      whole('created_at'),
      whole('channel_id'),
      whole('served', 0),
      whole('failed', 0),
      (table) => table.addPrimaryKeyConstraint('channel_hours_key', ['created_at', 'channel_id'] as never),
      (table) => (dialect === 'sqlite' ? table.modifyEnd(sql`strict, without rowid`) : table),
    ).execute()
  },
}
