import { sql } from 'kysely'
import type { Db } from '../../gateway/store/sqlite/database.ts'

/** A column that disagrees with the ledger. */
export type Difference = Readonly<{
  account: 'user' | 'token' | 'channel'
  id: number
  column: 'quota' | 'used_quota' | 'request_count'
  recorded: number
  /** The sum of the ledger rows. */
  reckoned: number
}>

/**
 * Compares every user, token and channel with the ledger (docs/reference/reliability.md#money-invariants) by one plain
 * query each, unlike the product, which works in slices; returns an empty list when all agree. Changes nothing.
 */
export async function reconcile(db: Db): Promise<Difference[]> {
  const users = await figures(db, 'user', 'users', 'user_id', ['quota', 'used_quota', 'request_count'])
  const tokens = await figures(db, 'token', 'tokens', 'token_id', ['used_quota'])
  const channels = await figures(db, 'channel', 'channels', 'channel_id', ['used_quota'])
  return [...users, ...tokens, ...channels]
}

/** Sums that retention stored are added like the rows they replaced. */
const posted = (account: Difference['account'], owner: string) => sql`(
  select ${sql.ref(owner)} as owner, amount as quota,
    case when kind in ('consume', 'refund') then -amount else 0 end as used_quota,
    case when kind = 'consume' then 1 else 0 end as request_count from ledger
  union all
  select id, amount, used, requests from ledger_sums where generation = 0 and account = ${sql.lit(account)})`

async function figures(
  db: Db,
  account: Difference['account'],
  table: string,
  owner: string,
  columns: readonly Difference['column'][],
): Promise<Difference[]> {
  const found: Difference[] = []
  for (const column of columns) {
    const { rows } = await sql<{ id: number; recorded: number; reckoned: number }>`
      select accounts.id, accounts.${sql.ref(column)} as recorded, coalesce(reckoned.sum, 0) as reckoned
      from ${sql.table(table)} as accounts left join
        (select owner, sum(${sql.ref(column)}) as sum from ${posted(account, owner)} as posted group by owner) as reckoned
        on reckoned.owner = accounts.id
      order by accounts.id`.execute(db)
    for (const { id, recorded, reckoned } of rows)
      if (recorded !== Number(reckoned)) found.push({ account, id, column, recorded, reckoned: Number(reckoned) })
  }
  return found.sort((one, other) => one.id - other.id)
}
