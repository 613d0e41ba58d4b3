import type { Insertable } from 'kysely'
import type { LedgerCheckRow, LedgerDifferenceRow, Schema } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'
import type { Difference } from './ledger-sums.ts'

type NewCheck = Omit<Insertable<Schema['ledger_checks']>, 'id'>

/** Max checks to store; older ones are deleted. */
const MAX_CHECKS = 200
/** Max differences stored per check. */
const MAX_DIFFERENCES = 500
const ROWS_A_STATEMENT = 100

/**
 * The `ledger_checks` and `ledger_differences` tables: comparisons of balances with the ledger, and their differences.
 */
export const ledgerCheckStore = (db: Db) => ({
  newest: (limit: number): Promise<LedgerCheckRow[]> =>
    db.selectFrom('ledger_checks').selectAll().orderBy('id', 'desc').limit(limit).execute(),

  async add(check: NewCheck): Promise<void> {
    const { id } = await db.insertInto('ledger_checks').values(check).returning('id').executeTakeFirstOrThrow()
    await db
      .deleteFrom('ledger_checks')
      .where('id', '<=', Number(id) - MAX_CHECKS)
      .execute()
  },

  /**
   * Stores the differences that a check found. A known gap keeps its discovery time and acknowledgement. Returns how
   * many of the differences stored by this call are unacknowledged.
   */
  async found(differences: readonly Difference[], at: number): Promise<number> {
    for (let from = 0; from < Math.min(differences.length, MAX_DIFFERENCES); from += ROWS_A_STATEMENT)
      await db
        .insertInto('ledger_differences')
        .values(
          differences.slice(from, Math.min(from + ROWS_A_STATEMENT, MAX_DIFFERENCES)).map((one) => rowOf(one, at)),
        )
        .onConflict((conflict) =>
          conflict.columns(['account', 'account_id', 'column_name', 'gap']).doUpdateSet((row) => ({
            recorded: row.ref('excluded.recorded'),
            summed: row.ref('excluded.summed'),
            seen_at: row.ref('excluded.seen_at'),
          })),
        )
        .execute()
    const { open } = await db
      .selectFrom('ledger_differences')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('acknowledged_at', '=', 0)
      .where('seen_at', '=', at)
      .executeTakeFirstOrThrow()
    return Number(open)
  },

  unacknowledged: (limit: number): Promise<LedgerDifferenceRow[]> =>
    db
      .selectFrom('ledger_differences')
      .selectAll()
      .where('acknowledged_at', '=', 0)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),

  /** Marks a difference as acknowledged; returns it, or undefined if there is no such unacknowledged difference. */
  acknowledge: (id: number, at: number, by: string): Promise<LedgerDifferenceRow | undefined> =>
    db
      .updateTable('ledger_differences')
      .set({ acknowledged_at: at, acknowledged_by: by })
      .where('id', '=', id)
      .where('acknowledged_at', '=', 0)
      .returningAll()
      .executeTakeFirst(),
})

const rowOf = ({ account, id, column, recorded, summed }: Difference, at: number) => ({
  account,
  account_id: id,
  column_name: column,
  recorded,
  summed,
  gap: String(BigInt(recorded) - BigInt(summed)),
  found_at: at,
  seen_at: at,
})
