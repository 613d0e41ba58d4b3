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

/** The ids of channels that failed at least `min` times in the hours from `from` on, and never succeeded. */
export async function channelsWithoutSuccess(db: Db, from: number, min: number): Promise<number[]> {
  const rows = await db
    .selectFrom('channel_hours')
    .select('channel_id')
    .where('created_at', '>=', from)
    .groupBy('channel_id')
    .having(({ fn }) => fn.sum('served'), '=', 0)
    .having(({ fn }) => fn.sum('failed'), '>=', min)
    .execute()
  return rows.map(({ channel_id }) => Number(channel_id))
}
