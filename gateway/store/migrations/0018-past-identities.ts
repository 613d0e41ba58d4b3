import { build, columnsFor, type Migration } from './column.ts'

/** What accounts were once bound to, so that nobody is new by it again. */
export const pastIdentities: Migration = {
  name: 'past identities',
  async up(db, dialect) {
    const { text, whole, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('past_identities'),
      text('identity_hash', undefined, (column) => column.primaryKey()),
      whole('created_at'),
      strict,
    ).execute()
  },
}
