import type { Insertable, Selectable } from 'kysely'
import { orderStatus } from '../../../shared/enums.ts'
import { beginsWith } from '../match.ts'
import type { PageRange } from '../page.ts'
import type { TopUpsTable } from '../schema/schema-wallet.ts'
import type { Db } from '../sqlite/database.ts'

export type TopUpRow = Selectable<TopUpsTable>
/** An order with its owner's name; null if the account was deleted. */
export type ListedTopUp = TopUpRow & Readonly<{ username: string | null }>

/** Empty strings and 0 match everything. */
export type TopUpFilter = Readonly<{
  /** Prefix of a trade number, ours or the payment provider's. */
  keyword: string
  status: string
  userId: number
  username: string
}>

export const topUpStore = (db: Db) => ({
  async add(row: Insertable<TopUpsTable>): Promise<void> {
    await db.insertInto('top_ups').values(row).execute()
  },

  byTradeNo: (tradeNo: string): Promise<TopUpRow | undefined> =>
    db.selectFrom('top_ups').selectAll().where('trade_no', '=', tradeNo).executeTakeFirst(),

  byRequestKey: (userId: number, key: string): Promise<TopUpRow | undefined> =>
    db
      .selectFrom('top_ups')
      .selectAll()
      .where('user_id', '=', userId)
      .where('request_key', '=', key)
      .where('request_key', '<>', '')
      .executeTakeFirst(),

  async page(filter: TopUpFilter, { offset, limit }: PageRange): Promise<{ rows: ListedTopUp[]; total: number }> {
    const { total } = await fitting(db, filter)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await fitting(db, filter)
      .selectAll('top_ups')
      .select('users.username')
      .orderBy('top_ups.id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute()
    return { rows, total: Number(total) }
  },

  /** Marks an order as paid; returns false if it was already paid or does not exist. */
  async pay(tradeNo: string, providerTradeNo: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('top_ups')
      .set({ status: orderStatus.paid, complete_time: now, provider_trade_no: providerTradeNo })
      .where('trade_no', '=', tradeNo)
      .where('status', '<>', orderStatus.paid)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  },

  /** Marks pending orders created before this time as expired; returns how many. */
  async expire(before: number): Promise<number> {
    const { numUpdatedRows } = await db
      .updateTable('top_ups')
      .set({ status: orderStatus.expired })
      .where('status', '=', orderStatus.pending)
      .where('create_time', '<', before)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
})

const fitting = (db: Db, { keyword, status, userId, username }: TopUpFilter) =>
  db
    .selectFrom('top_ups')
    .leftJoin('users', 'users.id', 'top_ups.user_id')
    .$if(status !== '', (rows) => rows.where('top_ups.status', '=', status))
    .$if(userId > 0, (rows) => rows.where('top_ups.user_id', '=', userId))
    .$if(username !== '', (rows) => rows.where('users.username', '=', username))
    .$if(keyword !== '', (rows) =>
      rows.where(({ or, ref }) =>
        or([beginsWith(ref('top_ups.trade_no'), keyword), beginsWith(ref('top_ups.provider_trade_no'), keyword)]),
      ),
    )
