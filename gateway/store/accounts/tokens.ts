import { type Insertable, type SelectQueryBuilder, sql } from 'kysely'
import type { TokenSort } from '../../../shared/api/token.ts'
import { tokenStatus } from '../../../shared/enums.ts'
import type { RowSize } from '../../base/row-steps.ts'
import { contains } from '../match.ts'
import { type PageRange, sortOf } from '../page.ts'
import type { Schema, TokenRow } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

export type NewTokenRow = Omit<Insertable<Schema['tokens']>, 'id'>
/** Editable columns; only the ledger writes the remaining quota and whether it is unlimited. */
export type TokenPatch = Partial<Omit<TokenRow, 'id' | 'user_id' | 'key_hash' | 'remain_quota' | 'unlimited_quota'>>

type NextKey = Pick<TokenRow, 'key' | 'key_hash'>
type ReplacedKey = Pick<TokenRow, 'id' | 'user_id' | 'key_hash' | 'name' | 'created_time'>

const limitBytes = sql<number>`octet_length(model_limits) + octet_length(allow_ips)`.as('bytes')

const liveTokens = (db: Db) => db.selectFrom('tokens').where('deleted_at', 'is', null)

const ownedTokens = (db: Db, userId: number) => liveTokens(db).where('user_id', '=', userId)

/** Empty lists for deleted tokens, because queries of their account would read these long columns. */
const NO_LISTS = { model_limits: '', allow_ips: '' } as const

/** The `tokens` table. Deleted rows stay but are never returned. */
export const tokenStore = (db: Db) => {
  const live = () => liveTokens(db)
  const owned = (userId: number) => ownedTokens(db, userId)
  return {
    byKeyHash: (keyHash: string) => live().selectAll().where('key_hash', '=', keyHash).executeTakeFirst(),
    one: (userId: number, id: number) => owned(userId).selectAll().where('id', '=', id).executeTakeFirst(),
    ofUser: (userId: number, ids: readonly number[]): Promise<TokenRow[]> =>
      owned(userId).selectAll().where('id', 'in', ids).execute(),
    /** Not restricted to one user. */
    byId: (id: number) => live().selectAll().where('id', '=', id).executeTakeFirst(),
    async count(userId: number): Promise<number> {
      const { n } = await owned(userId)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      return Number(n)
    },
    /**
     * When a token of the user, or the given one, was last used; 0 if never. Deleted tokens, of which there may be any
     * number, are not read.
     */
    async lastUsed(userId: number, tokenId?: number): Promise<number> {
      const { at } = await db
        .selectFrom('tokens')
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .$if(tokenId !== undefined, (query) => query.where('id', '=', tokenId ?? 0))
        .select(({ fn }) => fn.max<number | null>('accessed_time').as('at'))
        .executeTakeFirstOrThrow()
      return Number(at ?? 0)
    },
    async insert(row: NewTokenRow): Promise<number> {
      const { id } = await db.insertInto('tokens').values(row).returning('id').executeTakeFirstOrThrow()
      return Number(id)
    },
    async update(userId: number, id: number, changes: TokenPatch): Promise<void> {
      if (Object.keys(changes).length === 0) return
      await db.updateTable('tokens').set(changes).where('id', '=', id).where('user_id', '=', userId).execute()
    },
    /**
     * Replaces the key of a token; returns false if the token no longer has it. A deleted row keeps the hash of the old
     * key, so that no import brings it back.
     */
    rekey: ({ id, user_id, key_hash, name, created_time }: ReplacedKey, next: NextKey, now: number) =>
      db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('tokens')
          .set(next)
          .where('id', '=', id)
          .where('key_hash', '=', key_hash)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (Number(numUpdatedRows) !== 1) return false
        const replaced = { user_id, key_hash, key: '', name, created_time, deleted_at: now }
        await tx.insertInto('tokens').values(replaced).execute()
        return true
      }),
    /** Marks the token as deleted; returns false if the user has no such token. */
    async remove(userId: number, id: number, now: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('tokens')
        .set({ deleted_at: now, ...NO_LISTS })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows) === 1
    },
    ...listsIn(db),
    ...ofUsers(db),
  }
}

/** Lists of an account; without a sort order the newest token is first. */
const listsIn = (db: Db) => {
  const named = (userId: number, part: string) =>
    ownedTokens(db, userId).$if(part !== '', (query) => query.where((eb) => contains(eb.ref('name'), part)))
  return {
    sizes: (userId: number, { offset, limit }: PageRange, sort?: TokenSort): Promise<RowSize[]> =>
      sorted(ownedTokens(db, userId).select(['id', limitBytes]), sort)
        .limit(limit)
        .offset(offset)
        .execute(),
    guestSizes: (userId: number, limit: number): Promise<RowSize[]> =>
      ownedTokens(db, userId)
        .select(['id', limitBytes])
        .where('is_guest', '=', 1)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    /**
     * Returns the ids and sizes of the first `limit` tokens whose name contains `part`, restricted to `ids` if given.
     * An empty `part` matches every name.
     */
    namedSizes: (userId: number, { part, sort, limit, ids }: NamedTokens): Promise<RowSize[]> =>
      sorted(named(userId, part).select(['id', limitBytes]), sort)
        .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
        .limit(limit)
        .execute(),
    keys: (userId: number, part: string, limit: number): Promise<Pick<TokenRow, 'id' | 'key'>[]> =>
      named(userId, part).select(['id', 'key']).orderBy('id', 'desc').limit(limit).execute(),
  }
}

type NamedTokens = Readonly<{ part: string; sort?: TokenSort; limit: number; ids?: readonly number[] | undefined }>

/** The sort columns precede the long ones in the table, so that sorting does not read any long column. */
function sorted<O>(rows: SelectQueryBuilder<Schema, 'tokens', O>, sort: TokenSort) {
  const { column, direction } = sortOf(sort) ?? ({ column: 'id', direction: 'desc' } as const)
  return rows.orderBy(column === 'name' ? sql`lower(name)` : sql.ref(column), direction).orderBy('id', 'desc')
}

const ofUsers = (db: Db) => ({
  disableOf: (userId: number) =>
    db
      .updateTable('tokens')
      .set({ status: tokenStatus.disabled })
      .where('user_id', '=', userId)
      .where('status', '=', tokenStatus.enabled)
      .where('deleted_at', 'is', null)
      .execute(),
  async removeOf(userId: number, now: number): Promise<number[]> {
    const rows = await db
      .updateTable('tokens')
      .set({ deleted_at: now, ...NO_LISTS })
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .execute()
    return rows.map(({ id }) => Number(id))
  },
  /** Marks tokens of deleted and deactivated users as deleted; returns how many. No one can use or see those tokens. */
  async removeOfDeletedUsers(now: number): Promise<number> {
    const { numUpdatedRows } = await db
      .updateTable('tokens')
      .set({ deleted_at: now, ...NO_LISTS })
      .where('deleted_at', 'is', null)
      .where('user_id', 'not in', (eb) => eb.selectFrom('users').select('id').where('deleted_at', 'is', null))
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
})
