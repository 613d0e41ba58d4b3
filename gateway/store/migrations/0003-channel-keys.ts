import { build, columnsFor, type Migration } from './column.ts'

/** Which keys of a channel with several are switched off, and with which a response was made; the keys themselves stay sealed in the channel's row. */
export const channelKeys: Migration = {
  name: 'channel-keys',
  async up(db, dialect) {
    const { whole, text, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('channel_keys'),
      whole('channel_id'),
      text('key_id'),
      whole('status'),
      text('reason', ''),
      whole('status_time', 0),
      (table) => table.addPrimaryKeyConstraint('channel_keys_primary', ['channel_id', 'key_id'] as never),
      strict,
    ).execute()
    await db.schema
      .alterTable('stored_responses')
      .addColumn('key_id', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
