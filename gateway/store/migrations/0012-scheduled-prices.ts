import { build, columnsFor, type Migration } from './column.ts'

/** Prices that hold from a time on, and what updates from a catalogue have written. */
export const scheduledPrices: Migration = {
  name: 'scheduled-prices',
  async up(db, dialect) {
    const { id, whole, text, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('scheduled_prices'),
      id,
      text('model'),
      text('rates'),
      whole('valid_from'),
      text('note', ''),
      text('format', ''),
      text('state', 'pending'),
      text('username', ''),
      whole('created_at'),
      whole('done_at', 0),
      strict,
    ).execute()
    await db.schema
      .createIndex('scheduled_prices_due')
      .on('scheduled_prices')
      .columns(['state', 'valid_from'])
      .execute()
    await build(
      db.schema.createTable('price_syncs'),
      id,
      text('format'),
      text('origin', ''),
      text('changes'),
      whole('models'),
      text('username', ''),
      whole('created_at'),
      strict,
    ).execute()
    await build(
      db.schema.createTable('synced_prices'),
      text('model', undefined, (column) => column.primaryKey()),
      text('rates'),
      strict,
    ).execute()
  },
}
