import { sql } from 'kysely'
import { type AccountKind, currentGeneration, REMOVED } from '../ledger/ledger-sums.ts'
import type { Db } from '../sqlite/database.ts'
import { inStretches, insertMany } from '../sqlite/insert-many.ts'

/** An account's usage before its first row in this ledger; `used` is in quota units. */
type BroughtForward = Readonly<{ id: number; used: number; requests: number }>

const tables = { user: 'users', token: 'tokens', channel: 'channels' } as const

/**
 * Records usage that new accounts had in another gateway. Adds it to the sums of removed rows and to the current sums,
 * since it has no ledger rows, then sets the accounts' columns to match. Call it within a transaction, while no
 * verification runs, for accounts that were just created; `first` and `last` are the bounds of their ids.
 */
export async function bringForward(
  db: Db,
  account: AccountKind,
  { rows, first, last }: Readonly<{ rows: readonly BroughtForward[]; first: number; last: number }>,
): Promise<void> {
  const used = rows.filter((row) => row.used !== 0 || row.requests !== 0)
  if (used.length === 0) return
  const current = await currentGeneration(db)
  for (const generation of current ? [REMOVED, current.generation] : [REMOVED])
    await insertMany(db, 'ledger_sums', {
      items: used,
      rowOf: ({ id, used, requests }) => ({ generation, account, id, used, requests }),
    })
  const table = tables[account]
  const sumOf = (column: 'used' | 'requests') =>
    sql<number>`coalesce((select ${sql.ref(column)} from ledger_sums where generation = ${sql.lit(REMOVED)} and account = ${sql.lit(account)} and ledger_sums.id = ${sql.ref(`${table}.id`)}), 0)`
  await inStretches({ first, last }, async (from, to) => {
    const inRange = sql<boolean>`${sql.ref(`${table}.id`)} between ${from} and ${to}`
    await sql`update ${sql.table(table)} set used_quota = ${sumOf('used')} where ${inRange}`.execute(db)
    if (account === 'user')
      await sql`update users set request_count = ${sumOf('requests')} where ${inRange}`.execute(db)
  })
}
