import { build, columnsFor, type Migration } from './column.ts'

/** Links by which administrators let people in. */
export const invitations: Migration = {
  name: 'invitations',
  async up(db, dialect) {
    const { id, whole, text, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('invitations'),
      id,
      text('code_hash', undefined, (column) => column.unique()),
      whole('role'),
      text('group', ''),
      whole('quota', 0),
      whole('uses'),
      whole('used', 0),
      whole('expires_at'),
      text('note', ''),
      whole('created_by'),
      whole('created_at'),
      strict,
    ).execute()
  },
}
