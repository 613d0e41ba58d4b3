import type { Selectable } from 'kysely'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

export type ChannelClientRow = Selectable<Schema['channel_upstream_seen']>

const ROWS_A_STATEMENT = 1000

/** The `channel_upstream_seen` table: which client families came through a channel, for which group, and when. */
export const channelClientStore = (db: Db) => ({
  /** Rows of one channel, the one seen last first. */
  of: (channelId: number) =>
    db
      .selectFrom('channel_upstream_seen')
      .selectAll()
      .where('channel_id', '=', channelId)
      .orderBy('last_seen', 'desc')
      .orderBy('group')
      .orderBy('client_type')
      .execute(),

  /** Adds rows; one that is there keeps its `first_seen` and takes over `last_seen`. The keys given must differ. */
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

  /** Removes what is known of channels that are gone. */
  async removeOf(channelIds: readonly number[]): Promise<void> {
    if (channelIds.length > 0)
      await db.deleteFrom('channel_upstream_seen').where('channel_id', 'in', channelIds).execute()
  },

  /** Removes what is known of channels that there are not; answers how many rows that was. */
  async removeOrphans(): Promise<number> {
    const { numDeletedRows } = await db
      .deleteFrom('channel_upstream_seen')
      .where('channel_id', 'not in', (eb) => eb.selectFrom('channels').select('id'))
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
})
