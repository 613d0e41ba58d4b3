import { type Insertable, type Selectable, sql } from 'kysely'
import type { RedemptionSort } from '../../../shared/api/redemption.ts'
import { redemptionStatus } from '../../../shared/enums.ts'
import { beginsWith } from '../match.ts'
import { type PageRange, sortOf } from '../page.ts'
import type { RedemptionsTable } from '../schema/schema-wallet.ts'
import type { Db } from '../sqlite/database.ts'

export type RedemptionRow = Selectable<RedemptionsTable>
/** A code with the name of the account that used it; null if it is unused or the account was deleted. */
export type ListedRedemption = RedemptionRow & Readonly<{ used_username: string | null }>

export type RedemptionPatch = Partial<Pick<RedemptionRow, 'name' | 'quota' | 'status' | 'expired_time'>>

type RedemptionPart = Readonly<{ keyword: string; sort?: RedemptionSort }>

/** The `redemptions` table. Deleted codes never match. */
export const redemptionStore = (db: Db) => ({
  /** Adds the codes whose keys do not exist yet; returns how many. */
  async addNew(rows: readonly Insertable<RedemptionsTable>[]): Promise<number> {
    const added = await db
      .insertInto('redemptions')
      .values(rows)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('id')
      .execute()
    return added.length
  },

  /** `keyword` matches an id or the beginning of a name; without a `sort` the newest is first. */
  page: (part: RedemptionPart, range: PageRange) => pageOf(db, part, range),

  one: (id: number): Promise<ListedRedemption | undefined> =>
    listed(db, '').where('redemptions.id', '=', id).executeTakeFirst(),

  byKey: (key: string): Promise<RedemptionRow | undefined> =>
    db.selectFrom('redemptions').selectAll().where('key', '=', key).where('deleted_at', 'is', null).executeTakeFirst(),

  /** Redeems a code if it is unused, not expired and its quota is unchanged; otherwise returns false. */
  async use({ id, quota }: RedemptionRow, userId: number, now: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('redemptions')
      .set({ status: redemptionStatus.used, redeemed_time: now, used_user_id: userId })
      .where('id', '=', id)
      .where('quota', '=', quota)
      .where('status', '=', redemptionStatus.unused)
      .where('deleted_at', 'is', null)
      .where(({ eb, or }) => or([eb('expired_time', '=', 0), eb('expired_time', '>=', now)]))
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  /** Changes a code; returns false if it was used or does not exist. */
  async patch(id: number, patch: RedemptionPatch): Promise<boolean> {
    if (Object.keys(patch).length === 0) return true
    const { numUpdatedRows } = await db
      .updateTable('redemptions')
      .set(patch)
      .where('id', '=', id)
      .where('status', '<>', redemptionStatus.used)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  async remove(id: number, now: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('redemptions')
      .set({ deleted_at: now })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  /** Marks codes that can no longer be redeemed as deleted; returns how many. */
  async removeInvalid(now: number): Promise<number> {
    const { numUpdatedRows } = await db
      .updateTable('redemptions')
      .set({ deleted_at: now })
      .where('deleted_at', 'is', null)
      .where(({ eb, or, and }) =>
        or([
          eb('status', '<>', redemptionStatus.unused),
          and([eb('expired_time', '>', 0), eb('expired_time', '<', now)]),
        ]),
      )
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
})

async function pageOf(db: Db, { keyword, sort }: RedemptionPart, { offset, limit }: PageRange) {
  const { column, direction } = sortOf(sort) ?? ({ column: 'id', direction: 'desc' } as const)
  const by = column === 'name' ? sql`lower(redemptions.name)` : sql.ref(`redemptions.${column}`)
  const { total } = await fitting(db, keyword)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await listed(db, keyword)
    .orderBy(by, direction)
    .orderBy('redemptions.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return { rows, total: Number(total) }
}

function fitting(db: Db, keyword: string) {
  const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : undefined
  return db
    .selectFrom('redemptions')
    .where('redemptions.deleted_at', 'is', null)
    .$if(keyword !== '', (rows) =>
      rows.where(({ eb, or, ref }) =>
        or([
          ...(id === undefined ? [] : [eb('redemptions.id', '=', id)]),
          beginsWith(ref('redemptions.name'), keyword),
        ]),
      ),
    )
}

const listed = (db: Db, keyword: string) =>
  fitting(db, keyword)
    .leftJoin('users', 'users.id', 'redemptions.used_user_id')
    .selectAll('redemptions')
    .select('users.username as used_username')
