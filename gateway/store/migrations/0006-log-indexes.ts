import { sql } from 'kysely'
import type { Migration } from './column.ts'

/**
 * The lists of the log stand by id, so their indexes do too. On SQLite they hold every column that a filter or a sum
 * looks at: a filter without a hit then reads some 70 bytes a row and never the row itself.
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
    await sql`create index logs_of_user on logs
      (user_id, id, type, created_at, quota, prompt_tokens, completion_tokens, token_id, model_name, token_name, "group")`.execute(
      db,
    )
    await sql`create index logs_in_order on logs
      (id, type, created_at, user_id, quota, prompt_tokens, completion_tokens, channel_id, model_name, token_name, username, "group")`.execute(
      db,
    )
  },
}
