import { build, columnsFor, type Migration } from './column.ts'

/** What was taken over from other gateways: each import, and by which mark each of their rows is known here. */
export const imports: Migration = {
  name: 'imports',
  async up(db, dialect) {
    const { id, whole, text, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('imports'),
      id,
      text('origin'),
      text('source'),
      text('file_name', ''),
      whole('created_at'),
      text('username', ''),
      whole('logs_after', 0),
      strict,
    ).execute()
    await db.schema.createIndex('imports_source').on('imports').column('source').execute()
    await build(
      db.schema.createTable('import_marks'),
      text('mark', undefined, (column) => column.primaryKey()),
      whole('own_id'),
      whole('import_id'),
      strict,
    ).execute()
  },
}
