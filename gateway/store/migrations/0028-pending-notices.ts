import { build, columnsFor, type Migration } from './column.ts'

/** Notices on their way, so that none is lost with the process. */
export const pendingNotices: Migration = {
  name: 'pending notices',
  async up(db, dialect) {
    const { text, whole, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('pending_notices'),
      text('id', undefined, (column) => column.primaryKey()),
      whole('user_id'),
      text('letter'),
      whole('tries'),
      whole('due_at'),
      whole('created_at'),
      strict,
    ).execute()
  },
}
