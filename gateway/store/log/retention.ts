import { sql } from 'kysely'
import { addRows, currentGeneration, REMOVED, rowsAfter } from '../ledger/ledger-sums.ts'
import type { Db } from '../sqlite/database.ts'
import { isNoYoungAudit } from './logs.ts'

/** Bytes of a row other than its text: numbers and index entries. */
const ROW_BYTES = { logs: 200, ledger: 250 } as const
const LOG_TEXTS = ['content', 'username', 'token_name', 'model_name', 'group', 'ip', 'other', 'request_id'] as const

/** Rows measured backwards from an id: the lowest id, the number of rows, and their approximate size in bytes. */
type Measured = Readonly<{ first: number; count: number; bytes: number }>

/**
 * Measures the log and the ledger, and deletes log entries and charges past their retention. Each call is one small
 * transaction.
 */
export const retentionStore = (db: Db) => ({
  async measure(table: 'logs' | 'ledger', below: number | undefined, limit: number): Promise<Measured> {
    const texts = table === 'logs' ? LOG_TEXTS : (['ref_id'] as const)
    const bytes = texts.map((name) => sql`octet_length(${sql.ref(name)})`)
    const { first, count, text } = await db
      .selectFrom((from) =>
        from
          .selectFrom(table)
          .select(['id', sql<number>`${sql.join(bytes, sql` + `)}`.as('bytes')])
          .$if(below !== undefined, (query) => query.where('id', '<', below ?? 0))
          .orderBy('id', 'desc')
          .limit(limit)
          .as('rows'),
      )
      .select(({ fn }) => [
        fn.min<number | null>('id').as('first'),
        fn.countAll<number>().as('count'),
        fn.sum<number | null>('bytes').as('text'),
      ])
      .executeTakeFirstOrThrow()
    const rows = Number(count)
    return { first: Number(first ?? 0), count: rows, bytes: Number(text ?? 0) + rows * ROW_BYTES[table] }
  },

  /**
   * Deletes at most `limit` of the oldest entries with ids below `below`, except recent audit rows; returns how many.
   */
  async removeLogsBelow(below: number, now: number, limit: number): Promise<number> {
    const rows = db.selectFrom('logs').select('id').where('id', '<', below).where(isNoYoungAudit(now))
    const oldest = rows.orderBy('id').limit(limit)
    const { numDeletedRows } = await db.deleteFrom('logs').where('id', 'in', oldest).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },

  /**
   * Scans at most `limit` ledger rows after id `after` and deletes charges that `OldCharges` selects, adding them to
   * the sums of removed rows in the same transaction. Scans only rows that the current verification has added up.
   * `last` is undefined once no further row can be old enough, or no verified row is left to scan.
   */
  removeCharges: (charges: OldCharges): Promise<Readonly<{ last: number | undefined; removed: number }>> =>
    db.transaction().execute(async (transaction) => {
      const { after, limit, before, below, youngest } = charges
      const reached = (await currentGeneration(transaction))?.reached ?? 0
      // The newest verified row stays, because ids must never be reused.
      const { last, count } = await rowsAfter(transaction, after, limit, reached)
      if (count === 0) return { last: undefined, removed: 0 }
      const only = sql<boolean>`(kind = 'consume' and created_at < ${youngest} and (created_at < ${before} or id < ${below}))`
      await addRows(transaction, REMOVED, { after, last, only })
      const { numDeletedRows } = await transaction
        .deleteFrom('ledger')
        .where('id', '>', after)
        .where('id', '<=', last)
        .where(only)
        .executeTakeFirstOrThrow()
      const end = await transaction
        .selectFrom('ledger')
        .select('created_at')
        .where('id', '=', last)
        .where('created_at', '>=', before)
        .where('id', '>=', below)
        .executeTakeFirst()
      return { last: end ? undefined : last, removed: Number(numDeletedRows) }
    }),
})

/**
 * Selects the charges to delete; times are unix seconds. Charges made before `before` are deleted, as are those with
 * ids below `below`, except charges made at or after `youngest`.
 */
type OldCharges = Readonly<{ after: number; limit: number; before: number; below: number; youngest: number }>
