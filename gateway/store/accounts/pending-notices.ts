import type { Selectable } from 'kysely'
import { userStatus } from '../../../shared/enums.ts'
import type { Schema } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

export type PendingNotice = Selectable<Schema['pending_notices']>

/**
 * The `pending_notices` table: notices from before their first delivery attempt until they are delivered or given up.
 */
export const pendingNoticeStore = (db: Db) => ({
  add: (row: PendingNotice) => db.insertInto('pending_notices').values(row).execute(),

  /**
   * Counts an attempt before it starts, because the notice may be delivered even if the process dies. Returns false if
   * another node has begun this attempt, or delivered the notice.
   */
  async begin(id: string, tries: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('pending_notices')
      .set({ tries })
      .where('id', '=', id)
      .where('tries', '=', tries - 1)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },

  wait: (id: string, dueAt: number) =>
    db.updateTable('pending_notices').set({ due_at: dueAt }).where('id', '=', id).execute(),

  remove: (id: string) => db.deleteFrom('pending_notices').where('id', '=', id).execute(),

  /**
   * Returns the notices that an earlier process left, the oldest first, after deleting those for accounts that are no
   * longer active.
   */
  takeUp: (): Promise<(PendingNotice & { username: string })[]> =>
    db.transaction().execute(async (transaction) => {
      const active = transaction
        .selectFrom('users')
        .select('id')
        .where('status', '=', userStatus.active)
        .where('deleted_at', 'is', null)
      await transaction.deleteFrom('pending_notices').where('user_id', 'not in', active).execute()
      return transaction
        .selectFrom('pending_notices')
        .innerJoin('users', 'users.id', 'pending_notices.user_id')
        .selectAll('pending_notices')
        .select('users.username')
        .orderBy('pending_notices.created_at')
        .execute()
    }),
})
