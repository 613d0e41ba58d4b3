import type { Insertable } from 'kysely'
import { tokenStatus } from '../../shared/enums.ts'
import type { Db } from './database.ts'
import { contains } from './match.ts'
import type { PageRange } from './page.ts'
import type { Schema, TokenRow } from './schema.ts'

export type NewTokenRow = Omit<Insertable<Schema['tokens']>, 'id'>
/** What an edit writes; the remaining quota and the limit itself belong to the ledger. */
export type TokenPatch = Partial<Omit<TokenRow, 'id' | 'user_id' | 'key_hash' | 'remain_quota' | 'unlimited_quota'>>

/** The `tokens` table; deleted rows stay and are never answered. Lists stand by falling id. */
export const tokenStore = (db: Db) => {
  const live = () => db.selectFrom('tokens').where('deleted_at', 'is', null)
  const owned = (userId: number) => live().where('user_id', '=', userId)
  const named = (userId: number, part: string, limit: number) =>
    owned(userId)
      .$if(part !== '', (query) => query.where((eb) => contains(eb.ref('name'), part)))
      .orderBy('id', 'desc')
      .limit(limit)
  return {
    byKeyHash: (keyHash: string) => live().selectAll().where('key_hash', '=', keyHash).executeTakeFirst(),
    one: (userId: number, id: number) => owned(userId).selectAll().where('id', '=', id).executeTakeFirst(),
    page: (userId: number, { offset, limit }: PageRange): Promise<TokenRow[]> =>
      owned(userId).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    /** The newest guest keys of a user. */
    guests: (userId: number, limit: number): Promise<TokenRow[]> =>
      owned(userId).selectAll().where('is_guest', '=', 1).orderBy('id', 'desc').limit(limit).execute(),
    /** Whoever's it is. */
    byId: (id: number) => live().selectAll().where('id', '=', id).executeTakeFirst(),
    async count(userId: number): Promise<number> {
      const { n } = await owned(userId)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      return Number(n)
    },
    /** When a token of the user was used last, deleted ones included; 0 for never. */
    async lastUsed(userId: number): Promise<number> {
      const { at } = await db
        .selectFrom('tokens')
        .where('user_id', '=', userId)
        .select(({ fn }) => fn.max<number | null>('accessed_time').as('at'))
        .executeTakeFirstOrThrow()
      return Number(at ?? 0)
    },
    /** The newest `limit` tokens whose name contains `part`, of these `ids` where they are given; an empty part is in every name. */
    named: (userId: number, part: string, limit: number, ids?: readonly number[]): Promise<TokenRow[]> =>
      named(userId, part, limit)
        .selectAll()
        .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
        .execute(),
    /** The sealed keys of the newest `limit` tokens whose name contains `part`. */
    keys: (userId: number, part: string, limit: number): Promise<Pick<TokenRow, 'id' | 'key'>[]> =>
      named(userId, part, limit).select(['id', 'key']).execute(),
    async insert(row: NewTokenRow): Promise<number> {
      const { id } = await db.insertInto('tokens').values(row).returning('id').executeTakeFirstOrThrow()
      return Number(id)
    },
    async update(userId: number, id: number, changes: TokenPatch): Promise<void> {
      if (Object.keys(changes).length === 0) return
      await db.updateTable('tokens').set(changes).where('id', '=', id).where('user_id', '=', userId).execute()
    },
    /** Puts another key in the place of the one with this hash; false when the token has it no more. */
    async rekey({ id, key_hash }: Pick<TokenRow, 'id' | 'key_hash'>, next: Pick<TokenRow, 'key' | 'key_hash'>) {
      const { numUpdatedRows } = await db
        .updateTable('tokens')
        .set(next)
        .where('id', '=', id)
        .where('key_hash', '=', key_hash)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows) === 1
    },
    /** Marks the token deleted; false when the user has no such token. */
    async remove(userId: number, id: number, now: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('tokens')
        .set({ deleted_at: now })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows) === 1
    },
    ...ofUsers(db),
  }
}

/** What becomes of all tokens of a user at once. */
const ofUsers = (db: Db) => ({
  /** Disables every token of a user that is enabled. */
  disableOf: (userId: number) =>
    db
      .updateTable('tokens')
      .set({ status: tokenStatus.disabled })
      .where('user_id', '=', userId)
      .where('status', '=', tokenStatus.enabled)
      .where('deleted_at', 'is', null)
      .execute(),
  /** Marks every token of a user deleted; answers their ids. */
  async removeOf(userId: number, now: number): Promise<number[]> {
    const rows = await db
      .updateTable('tokens')
      .set({ deleted_at: now })
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .execute()
    return rows.map(({ id }) => Number(id))
  },
  /** Marks the tokens deleted whose user is gone or deactivated, which nobody can use or see; answers how many. */
  async removeOfDeletedUsers(now: number): Promise<number> {
    const { numUpdatedRows } = await db
      .updateTable('tokens')
      .set({ deleted_at: now })
      .where('deleted_at', 'is', null)
      .where('user_id', 'not in', (eb) => eb.selectFrom('users').select('id').where('deleted_at', 'is', null))
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
})
