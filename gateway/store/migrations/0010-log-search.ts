import { sql } from 'kysely'
import type { Migration, Older } from './column.ts'

/**
 * What the log is searched by besides: whether an answer was streamed, and how many channels were asked after the first. On
 * SQLite the indexes of `log-indexes` hold both as well, which takes two bytes a row. A request id needs no index: it tells its
 * time.
 */
export const logSearch: Migration = {
  name: 'log-search',
  async up(db, dialect) {
    const whole = dialect === 'sqlite' ? sql`integer` : sql`bigint`
    await db.schema
      .alterTable('logs')
      .addColumn('retries', whole, (column) => column.notNull().defaultTo(0))
      .execute()
    if (dialect !== 'sqlite') return
    await countRetries(db)
    for (const [name, columns] of Object.entries(indexes)) {
      await db.schema.dropIndex(name).execute()
      await db.schema.createIndex(name).on('logs').columns(columns).execute()
    }
  },
}

/** Rows from before tell in their JSON which channels were asked. */
const countRetries = (db: Older) =>
  sql`update logs set retries = json_array_length(other, '$.admin_info.use_channel') - 1
    where other like '%"use_channel":["%","%'
      and case when json_valid(other) then json_array_length(other, '$.admin_info.use_channel') > 1 else false end`.execute(
    db,
  )

const sums = ['quota', 'prompt_tokens', 'completion_tokens']
const texts = ['model_name', 'token_name', 'group']
const ways = ['is_stream', 'retries']
const indexes = {
  logs_of_user: ['user_id', 'id', 'type', 'created_at', ...sums, 'token_id', 'is_stream', ...texts],
  logs_in_order: ['id', 'type', 'created_at', 'user_id', ...sums, 'channel_id', ...ways, ...texts, 'username'],
  logs_time: ['created_at', 'type', 'id', 'user_id', ...sums, 'channel_id', ...ways, ...texts, 'username'],
}
