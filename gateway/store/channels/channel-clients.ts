import type { Selectable } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

export type ChannelClientRow = Selectable<Schema['channel_upstream_seen']>

const ROWS_A_STATEMENT = 1000

/** The `channel_upstream_seen` table: which client families used a channel, for which group, and when. */
export const channelClientStore = (db: Db) => ({
  of: (channelId: number) =>
    db
      .selectFrom('channel_upstream_seen')
      .selectAll()
      .where('channel_id', '=', channelId)
      .orderBy('last_seen', 'desc')
      .orderBy('group')
      .orderBy('client_type')
      .execute(),

  /**
   * Adds rows; an existing row keeps its `first_seen` and gets the new `last_seen`. The keys of `rows` must be
   * distinct.
   */
  async upsert(rows: readonly ChannelClientRow[]): Promise<void> {
    for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT)
      await db
        .insertInto('channel_upstream_seen')
        .values(rows.slice(start, start + ROWS_A_STATEMENT))
        .onConflict((conflict) =>
          conflict
            .columns(['channel_id', 'group', 'client_type'])
            .doUpdateSet((row) => ({ last_seen: row.ref('excluded.last_seen') })),
        )
        .execute()
  },

  async removeOf(channelIds: readonly number[]): Promise<void> {
    if (channelIds.length > 0)
      await db.deleteFrom('channel_upstream_seen').where('channel_id', 'in', channelIds).execute()
  },

  /** Returns how many rows were deleted. */
  async removeOrphans(): Promise<number> {
    const { numDeletedRows } = await db
      .deleteFrom('channel_upstream_seen')
      .where('channel_id', 'not in', (eb) => eb.selectFrom('channels').select('id'))
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
})
