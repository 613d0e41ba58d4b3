import { build, columnsFor, type Migration } from './column.ts'

/** What accounts have been told of, so that nobody is told too often, after a restart either. */
export const notices: Migration = {
  name: 'notices',
  async up(db, dialect) {
    const { whole, text, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('notices'),
      whole('user_id'),
      text('type'),
      whole('sent'),
      whole('until'),
      (table) => table.addPrimaryKeyConstraint('notices_primary', ['user_id', 'type'] as never),
      strict,
    ).execute()
  },
}
