import type { Db } from './database.ts'
import type { AbilityRow } from './schema.ts'

/** Seven values a row: far below what one statement may bind on either database. */
const ROWS_A_STATEMENT = 1000

/** The `abilities` table: which channel offers which model to which group (spec/relay.md §4.1). */
export const abilityStore = (db: Db) => ({
  /** Every row, for comparison with the channels. */
  all: () => db.selectFrom('abilities').selectAll().orderBy('channel_id').orderBy('group').orderBy('model').execute(),

  /** The distinct enabled models of these groups, sorted. */
  async modelsOf(groups: readonly string[]): Promise<string[]> {
    if (groups.length === 0) return []
    const rows = await db
      .selectFrom('abilities')
      .select('model')
      .distinct()
      .where('group', 'in', groups)
      .where('enabled', '=', 1)
      .execute()
    return rows.map(({ model }) => model).sort()
  },

  /** Adds rows whose keys are not there yet. */
  async add(rows: readonly AbilityRow[]): Promise<void> {
    for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT)
      await db
        .insertInto('abilities')
        .values(rows.slice(start, start + ROWS_A_STATEMENT))
        .execute()
  },

  /** Changes what the rows of these channels repeat of their channel. */
  async patch(
    channelIds: readonly number[],
    changes: Partial<Pick<AbilityRow, 'enabled' | 'priority' | 'weight' | 'tag'>>,
  ) {
    if (channelIds.length === 0 || Object.keys(changes).length === 0) return
    await db.updateTable('abilities').set(changes).where('channel_id', 'in', channelIds).execute()
  },

  /** Removes the rows of these channels. */
  async removeOf(channelIds: readonly number[]): Promise<void> {
    if (channelIds.length > 0) await db.deleteFrom('abilities').where('channel_id', 'in', channelIds).execute()
  },

  /** Removes every row, so that all can be built anew in the same transaction. */
  clear: () => db.deleteFrom('abilities').execute(),
})
