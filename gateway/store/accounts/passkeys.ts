import type { Selectable } from 'kysely'
import type { PasskeysTable } from '../schema/schema-logins.ts'
import type { Db } from '../sqlite/database.ts'

export type PasskeyRow = Selectable<PasskeysTable>
export type NewPasskeyRow = Omit<PasskeyRow, 'id'>

/** The `passkeys` table (docs/reference/accounts.md#passkeys). */
export const passkeyStore = (db: Db) => ({
  /** Returns the id, or undefined if the credential already exists, for this account or another. */
  async add(row: NewPasskeyRow): Promise<number | undefined> {
    const added = await db
      .insertInto('passkeys')
      .values(row)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    return added && Number(added.id)
  },

  listOf: (userId: number): Promise<PasskeyRow[]> =>
    db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute(),

  one: (userId: number, id: number): Promise<PasskeyRow | undefined> =>
    db.selectFrom('passkeys').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst(),

  byCredential: (credentialId: string, rpId: string): Promise<PasskeyRow | undefined> =>
    db
      .selectFrom('passkeys')
      .selectAll()
      .where('credential_id', '=', credentialId)
      .where('rp_id', '=', rpId)
      .executeTakeFirst(),

  async countOf(userId: number): Promise<number> {
    const { found } = await db
      .selectFrom('passkeys')
      .select(({ fn }) => fn.countAll<number>().as('found'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(found)
  },

  /** Records a use; returns false if the counter has not increased. Passkeys without a counter stay at 0. */
  async use(id: number, { counter, backed_up, last_used_at }: PasskeyUse): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('passkeys')
      .set({ counter, backed_up, last_used_at })
      .where('id', '=', id)
      .where('counter', counter === 0 ? '=' : '<', counter)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  async rename(userId: number, id: number, name: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  remove: (id: number) => db.deleteFrom('passkeys').where('id', '=', id).execute(),

  async removeOf(userId: number): Promise<number> {
    const { numDeletedRows } = await db.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
})

type PasskeyUse = Readonly<{ counter: number; backed_up: number; last_used_at: number }>
