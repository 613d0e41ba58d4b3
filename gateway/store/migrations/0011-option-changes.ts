import { build, columnsFor, type Migration } from './column.ts'

/** What was changed in the options, by whom, from what to what; and who stored each option last. */
export const optionChanges: Migration = {
  name: 'option-changes',
  async up(db, dialect) {
    const { rowId, whole, text, optionalText, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('option_changes'),
      rowId,
      whole('created_at'),
      whole('user_id'),
      text('username'),
      text('origin'),
      text('key'),
      text('kept'),
      whole('size'),
      optionalText('before'),
      optionalText('after'),
      strict,
    ).execute()
    await db.schema.createIndex('option_changes_key').on('option_changes').columns(['key', 'id']).execute()
    // What is added up at each change stands in an index, so that no value is read for it.
    await db.schema.createIndex('option_changes_size').on('option_changes').columns(['id', 'size']).execute()
    await db.schema
      .alterTable('options')
      .addColumn('updated_by', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
