import { build, columnsFor, type Migration } from './column.ts'

/** What `/v1/responses` must remember of its answers: the content where the gateway keeps it, else where it lies. */
export const storedResponses: Migration = {
  name: 'stored-responses',
  async up(db, dialect) {
    const { whole, text, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('stored_responses'),
      text('id', undefined, (column) => column.primaryKey()),
      whole('user_id'),
      whole('channel_id', 0),
      text('content', ''),
      whole('created_at'),
      strict,
    ).execute()
    await db.schema.createIndex('stored_responses_user').on('stored_responses').column('user_id').execute()
    await db.schema.createIndex('stored_responses_age').on('stored_responses').column('created_at').execute()
  },
}
