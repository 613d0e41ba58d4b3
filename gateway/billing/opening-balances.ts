import { sql } from 'kysely'
import type { AccountKind } from '../store/ledger/ledger-sums.ts'
import { bringForward } from '../store/log/opening-usage.ts'
import type { Db } from '../store/sqlite/database.ts'
import { inStretches, insertMany } from '../store/sqlite/insert-many.ts'

/**
 * An account imported from another gateway: its balance, its used quota and its request count; in whole quota units.
 */
type OpeningBalance = Readonly<{ id: number; quota: number; used: number; requests: number }>

/**
 * Opens the books of accounts just created with ascending ids: a user's balance is one `grant` with its ledger row, and
 * earlier usage is carried forward, so the ledger adds up to the balances exactly
 * (docs/reference/billing.md#imported-balances). Must run in the transaction that creates them, while no verification
 * runs; `refId` makes the rows of an import unique.
 */
export async function openBalances(
  transaction: Db,
  account: AccountKind,
  { rows, at, refId }: Readonly<{ rows: readonly OpeningBalance[]; at: number; refId: string }>,
): Promise<void> {
  const [first, last] = [rows[0]?.id, rows.at(-1)?.id]
  if (first === undefined || last === undefined) return
  if (account === 'user') {
    await insertMany(transaction, 'ledger', {
      items: rows.filter(({ quota }) => quota !== 0),
      rowOf: ({ id, quota }) => ({
        created_at: at,
        user_id: id,
        kind: 'grant',
        amount: quota,
        ref_type: 'import',
        ref_id: `${refId}:${id}`,
        balance_after: quota,
      }),
    })
    await inStretches({ first, last }, (from, to) =>
      sql`update users set quota = coalesce((select amount from ledger where kind = 'grant' and ref_type = 'import'
        and ref_id = ${`${refId}:`} || cast(users.id as text)), 0) where id between ${from} and ${to}`.execute(
        transaction,
      ),
    )
  }
  await bringForward(transaction, account, { rows, first, last })
}
