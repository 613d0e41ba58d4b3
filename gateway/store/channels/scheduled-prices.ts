import type { Insertable, Updateable } from 'kysely'
import type { PageRange } from '../page.ts'
import type { ScheduledPriceRow, Schema } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

type Columns = Schema['scheduled_prices']
export type NewScheduledPrice = Omit<Insertable<Columns>, 'id'>
type ScheduledPriceChange = Pick<Updateable<Columns>, 'model' | 'rates' | 'valid_from' | 'note' | 'format'>

/** Max completed prices to store; the oldest beyond this are deleted. */
const MAX_DONE = 5000
const ROWS_A_STATEMENT = 90

/** The `scheduled_prices` table. Only pending rows ever change. */
export const scheduledPriceStore = (db: Db) => {
  const pending = () => db.selectFrom('scheduled_prices').where('state', '=', 'pending')
  return {
    /** Returns pending prices (the next due first), then completed ones (the newest first). */
    page: (range: PageRange): Promise<{ rows: ScheduledPriceRow[]; total: number }> => pageOf(db, range),

    async pending(): Promise<number> {
      const { count } = await pending()
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    due: (nowSeconds: number, limit: number): Promise<ScheduledPriceRow[]> =>
      pending()
        .where('valid_from', '<=', nowSeconds)
        .selectAll()
        .orderBy('valid_from')
        .orderBy('id')
        .limit(limit)
        .execute(),

    async add(rows: readonly NewScheduledPrice[]): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT)
          await transaction
            .insertInto('scheduled_prices')
            .values(rows.slice(start, start + ROWS_A_STATEMENT))
            .execute()
      })
    },

    pendingById: (id: number): Promise<ScheduledPriceRow | undefined> =>
      pending().where('id', '=', id).selectAll().executeTakeFirst(),

    /** Returns undefined if no pending price has this id. */
    change: (id: number, change: ScheduledPriceChange): Promise<ScheduledPriceRow | undefined> =>
      db
        .updateTable('scheduled_prices')
        .set(change)
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .returningAll()
        .executeTakeFirst(),

    /** Returns undefined if no pending price has this id. */
    cancel: (id: number, nowSeconds: number): Promise<ScheduledPriceRow | undefined> =>
      db
        .updateTable('scheduled_prices')
        .set({ state: 'cancelled', done_at: nowSeconds })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .returningAll()
        .executeTakeFirst(),

    /** Records the outcome of due prices, then deletes the oldest completed ones beyond `MAX_DONE`. */
    done: (ids: readonly number[], state: 'applied' | 'failed', nowSeconds: number): Promise<void> =>
      endAll(db, ids, { state, done_at: nowSeconds }),
  }
}

async function pageOf(db: Db, { offset, limit }: PageRange) {
  const counting = db.selectFrom('scheduled_prices').select(({ fn }) => fn.countAll<number>().as('total'))
  const [rows, { total }] = await Promise.all([
    db
      .selectFrom('scheduled_prices')
      .selectAll()
      .orderBy((row) => row.case().when('state', '=', 'pending').then(0).else(1).end())
      .orderBy((row) => row.case().when('state', '=', 'pending').then(row.ref('valid_from')).else(0).end())
      .orderBy('done_at', 'desc')
      .orderBy('id')
      .offset(offset)
      .limit(limit)
      .execute(),
    counting.executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}

type Outcome = Readonly<{ state: 'applied' | 'failed'; done_at: number }>

async function endAll(db: Db, ids: readonly number[], outcome: Outcome): Promise<void> {
  const done = () => db.selectFrom('scheduled_prices').where('state', '!=', 'pending')
  await db.transaction().execute(async (transaction) => {
    for (let start = 0; start < ids.length; start += ROWS_A_STATEMENT)
      await transaction
        .updateTable('scheduled_prices')
        .set(outcome)
        .where('id', 'in', ids.slice(start, start + ROWS_A_STATEMENT))
        .where('state', '=', 'pending')
        .execute()
  })
  const oldest = await done().select('id').orderBy('id', 'desc').offset(MAX_DONE).limit(1).executeTakeFirst()
  if (!oldest) return
  await db.deleteFrom('scheduled_prices').where('state', '!=', 'pending').where('id', '<=', oldest.id).execute()
}
