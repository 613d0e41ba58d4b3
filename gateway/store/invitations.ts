import type { Insertable, Selectable } from 'kysely'
import type { Db } from './database.ts'
import type { InvitationsTable } from './schema-entrance.ts'

export type InvitationRow = Selectable<InvitationsTable>

/** So many are listed: those that are open before the others, the newest first. */
const MAX_LISTED = 200

/** The `invitations` table (docs/reference/accounts.md#links-of-invitation). */
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

  /** The invitation with this code, while it is open at this time. */
  open: (hash: string, now: number): Promise<InvitationRow | undefined> =>
    db
      .selectFrom('invitations')
      .selectAll()
      .where('code_hash', '=', hash)
      .where('expires_at', '>', now)
      .whereRef('used', '<', 'uses')
      .executeTakeFirst(),

  /** Uses it once more; false where it is not open any more. */
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
