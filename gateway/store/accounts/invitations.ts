import type { Insertable, Selectable } from 'kysely'
import type { InvitationsTable } from '../schema/schema-logins.ts'
import type { Db } from '../sqlite/database.ts'

export type InvitationRow = Selectable<InvitationsTable>

/** Max invitations in a list: first the open ones, then all others, the newest of each first. */
const MAX_LISTED = 200

/** The `invitations` table (docs/reference/accounts.md#invitation-links). */
export const invitationStore = (db: Db) => ({
  async add(row: Insertable<InvitationsTable>): Promise<number> {
    const { id } = await db.insertInto('invitations').values(row).returning('id').executeTakeFirstOrThrow()
    return Number(id)
  },

  list: (now: number): Promise<InvitationRow[]> =>
    db
      .selectFrom('invitations')
      .selectAll()
      .orderBy((eb) =>
        eb
          .case()
          .when(eb.and([eb('expires_at', '>', now), eb('used', '<', eb.ref('uses'))]))
          .then(0)
          .else(1)
          .end(),
      )
      .orderBy('id', 'desc')
      .limit(MAX_LISTED)
      .execute(),

  one: (id: number): Promise<InvitationRow | undefined> =>
    db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst(),

  open: (hash: string, now: number): Promise<InvitationRow | undefined> =>
    db
      .selectFrom('invitations')
      .selectAll()
      .where('code_hash', '=', hash)
      .where('expires_at', '>', now)
      .whereRef('used', '<', 'uses')
      .executeTakeFirst(),

  /** Counts one use of an invitation; returns false if the invitation is no longer open. */
  async take(id: number, now: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('invitations')
      .set((eb) => ({ used: eb('used', '+', 1) }))
      .where('id', '=', id)
      .where('expires_at', '>', now)
      .whereRef('used', '<', 'uses')
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  remove: (id: number) => db.deleteFrom('invitations').where('id', '=', id).execute(),
})
