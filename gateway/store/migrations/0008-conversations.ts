import { build, columnsFor, type Migration } from './column.ts'

/** Conversations that clients of `/v1/responses` keep here by name, and their items in order. */
export const conversations: Migration = {
  name: 'conversations',
  async up(db, dialect) {
    const { whole, text, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('conversations'),
      text('id', undefined, (column) => column.primaryKey()),
      whole('user_id'),
      text('metadata', ''),
      whole('size', 0),
      whole('reached', 0),
      whole('created_at'),
      whole('used_at'),
      strict,
    ).execute()
    await db.schema.createIndex('conversations_user').on('conversations').column('user_id').execute()
    await db.schema.createIndex('conversations_age').on('conversations').column('used_at').execute()
    await build(
      db.schema.createTable('conversation_items'),
      text('conversation_id'),
      whole('position'),
      text('id'),
      text('content'),
      (table) => table.addPrimaryKeyConstraint('conversation_items_key', ['conversation_id', 'position'] as never),
      (table) => table.addUniqueConstraint('conversation_items_once', ['conversation_id', 'id'] as never),
      strict,
    ).execute()
  },
}
