import type { ChannelKeyRow } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

/** Max keys per statement, since databases limit the number of parameters. */
const MAX_AT_ONCE = 500

/** The `channel_keys` table: disabled keys of channels with several keys. */
export const channelKeyStore = (db: Db) => ({
  all: (): Promise<ChannelKeyRow[]> => db.selectFrom('channel_keys').selectAll().execute(),

  of: (channelId: number): Promise<ChannelKeyRow[]> =>
    db.selectFrom('channel_keys').selectAll().where('channel_id', '=', channelId).execute(),

  /** Disables a key, overwriting the state of an already disabled key. */
  put: (row: ChannelKeyRow) =>
    db
      .insertInto('channel_keys')
      .values(row)
      .onConflict((conflict) => conflict.columns(['channel_id', 'key_id']).doUpdateSet(row))
      .execute(),

  /** Disables a key; returns false if it was already disabled. */
  async add(row: ChannelKeyRow): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('channel_keys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return Number(numInsertedOrUpdatedRows) === 1
  },

  async offCount(channelId: number): Promise<number> {
    const { n } = await db
      .selectFrom('channel_keys')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('channel_id', '=', channelId)
      .executeTakeFirstOrThrow()
    return Number(n)
  },

  /** Enables a key (if `status` is given, only a key with that status); returns whether it was disabled. */
  async remove(channelId: number, keyId: string, status?: number): Promise<boolean> {
    const rows = db.deleteFrom('channel_keys').where('channel_id', '=', channelId).where('key_id', '=', keyId)
    const { numDeletedRows } = await (status === undefined
      ? rows
      : rows.where('status', '=', status)
    ).executeTakeFirstOrThrow()
    return Number(numDeletedRows) === 1
  },

  /** Deletes the state of the keys of these channels (if `status` is given, only of keys with that status). */
  async removeOf(channelIds: readonly number[], status?: number): Promise<void> {
    if (channelIds.length === 0) return
    const rows = db.deleteFrom('channel_keys').where('channel_id', 'in', channelIds)
    await (status === undefined ? rows : rows.where('status', '=', status)).execute()
  },

  /** Deletes the state of keys that the channel no longer has. */
  async keepOnly(channelId: number, keyIds: readonly string[]): Promise<void> {
    const present = new Set(keyIds)
    const rows = await db.selectFrom('channel_keys').select('key_id').where('channel_id', '=', channelId).execute()
    const gone = rows.map(({ key_id }) => key_id).filter((id) => !present.has(id))
    for (let from = 0; from < gone.length; from += MAX_AT_ONCE)
      await db
        .deleteFrom('channel_keys')
        .where('channel_id', '=', channelId)
        .where('key_id', 'in', gone.slice(from, from + MAX_AT_ONCE))
        .execute()
  },
})
