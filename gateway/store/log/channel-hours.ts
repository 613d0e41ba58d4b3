import type { Db } from '../sqlite/database.ts'

export type ChannelHour = Readonly<{ channel_id: number; created_at: number; served: number; failed: number }>

/** Returns the hours that start at or after `from`. Call it on the reader's thread. */
export async function channelHours(db: Db, from: number): Promise<ChannelHour[]> {
  const rows = await db
    .selectFrom('channel_hours')
    .select(['channel_id', 'created_at', 'served', 'failed'])
    .where('created_at', '>=', from)
    .execute()
  return rows.map(({ channel_id, created_at, served, failed }) => ({
    channel_id: Number(channel_id),
    created_at: Number(created_at),
    served: Number(served),
    failed: Number(failed),
  }))
}
