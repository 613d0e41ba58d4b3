import type { Migration } from './column.ts'

/**
 * The lists of the log stand by id, so two of its indexes do; the third stands by time. On SQLite they hold every column
 * that a filter or a sum looks at: a filter without a hit then reads some 70 bytes a row and never the row itself.
 */
export const logIndexes: Migration = {
  name: 'log-indexes',
  async up(db, dialect) {
    await db.schema.dropIndex('logs_user').execute()
    if (dialect === 'postgres') {
      // Its entries have a longest length, which a model name somebody made up may exceed.
      await db.schema.createIndex('logs_of_user').on('logs').columns(['user_id', 'id']).execute()
      return
    }
    await db.schema.dropIndex('logs_time').execute()
    const indexes = {
      logs_of_user: ['user_id', 'id', 'type', 'created_at', ...sums, 'token_id', ...texts],
      logs_in_order: ['id', 'type', 'created_at', 'user_id', ...sums, 'channel_id', ...texts, 'username'],
      logs_time: ['created_at', 'type', 'id', 'user_id', ...sums, 'channel_id', ...texts, 'username'],
    }
    for (const [name, columns] of Object.entries(indexes))
      await db.schema.createIndex(name).on('logs').columns(columns).execute()
  },
}

const sums = ['quota', 'prompt_tokens', 'completion_tokens']
const texts = ['model_name', 'token_name', 'group']
