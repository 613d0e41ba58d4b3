import type { Db } from './database.ts'
import type { ChannelKeyRow } from './schema.ts'

/** The `channel_keys` table: keys that are switched off, of channels with several. */
export const channelKeyStore = (db: Db) => ({
  all: (): Promise<ChannelKeyRow[]> => db.selectFrom('channel_keys').selectAll().execute(),

  /** Those of one channel. */
  of: (channelId: number): Promise<ChannelKeyRow[]> =>
    db.selectFrom('channel_keys').selectAll().where('channel_id', '=', channelId).execute(),

  /** Switches a key off for the first time, or off in another way; what it was before is overwritten. */
  put: (row: ChannelKeyRow) =>
    db
      .insertInto('channel_keys')
      .values(row)
      .onConflict((conflict) => conflict.columns(['channel_id', 'key_id']).doUpdateSet(row))
      .execute(),

  /** Switches a key off where it is on; false when it was off. */
  async add(row: ChannelKeyRow): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('channel_keys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return Number(numInsertedOrUpdatedRows) === 1
  },

  /** How many keys of a channel are off. */
  async offCount(channelId: number): Promise<number> {
    const { n } = await db
      .selectFrom('channel_keys')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('channel_id', '=', channelId)
      .executeTakeFirstOrThrow()
    return Number(n)
  },

  /** Switches a key on; `status` says from which state alone. */
  async remove(channelId: number, keyId: string, status?: number): Promise<boolean> {
    const rows = db.deleteFrom('channel_keys').where('channel_id', '=', channelId).where('key_id', '=', keyId)
    const { numDeletedRows } = await (status === undefined
      ? rows
      : rows.where('status', '=', status)
    ).executeTakeFirstOrThrow()
    return Number(numDeletedRows) === 1
  },

  /** Forgets what is known of the keys of these channels, or of those in one state. */
  async removeOf(channelIds: readonly number[], status?: number): Promise<void> {
    if (channelIds.length === 0) return
    const rows = db.deleteFrom('channel_keys').where('channel_id', 'in', channelIds)
    await (status === undefined ? rows : rows.where('status', '=', status)).execute()
  },

  /** Forgets the keys that a channel does not have any more. */
  async keepOnly(channelId: number, keyIds: readonly string[]): Promise<void> {
    const rows = db.deleteFrom('channel_keys').where('channel_id', '=', channelId)
    await (keyIds.length === 0 ? rows : rows.where('key_id', 'not in', keyIds)).execute()
  },
})
