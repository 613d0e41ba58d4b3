import { type Kysely, sql } from 'kysely'
import { isSqlite } from '../match.ts'
import type { Schema } from '../schema/schema.ts'

type DbOrTransaction = Kysely<Schema>

export type AccountKind = 'user' | 'token' | 'channel'
/** A column of an account that differs from the sum of its ledger rows; integers as text. */
export type Difference = Readonly<{
  account: AccountKind
  id: number
  column: 'quota' | 'used_quota' | 'request_count'
  recorded: string
  summed: string
}>

/**
 * The generation with the sums of rows that retention deleted, and of usage from before the ledger (opening-usage.ts).
 */
export const REMOVED = 0

/**
 * Selects the id of the newest row. Until the transaction ends, no row is written, and no row with a lower id can still
 * appear, although several nodes commit in an order other than that of the ids.
 */
export const finalRow = (db: Kysely<Schema>) =>
  isSqlite(db)
    ? db.selectFrom('ledger').select('id').orderBy('id', 'desc').limit(1)
    : db.selectNoFrom(sql<number>`final_ledger_id()`.as('id'))

/** A range of ledger rows: the last id and the number of rows. */
export type Rows = Readonly<{ last: number; count: number }>

/**
 * Returns the range of the first rows after id `after`: at most `limit` rows, with ids below `below` if given. Without
 * rows, its last id is `after`.
 */
export async function rowsAfter(db: DbOrTransaction, after: number, limit: number, below?: number): Promise<Rows> {
  const { last, count } = await db
    .selectFrom((from) =>
      from
        .selectFrom('ledger')
        .select('id')
        .where('id', '>', after)
        .$if(below !== undefined, (query) => query.where('id', '<', below ?? 0))
        .orderBy('id')
        .limit(limit)
        .as('rows'),
    )
    .select(({ fn }) => [fn.max<number | null>('id').as('last'), fn.countAll<number>().as('count')])
    .executeTakeFirstOrThrow()
  return { last: Number(last ?? after), count: Number(count) }
}

/** The rows to add up: ids in (`after`, `last`] that also match `only`. */
type LedgerRange = Readonly<{ after: number; last: number; only?: ReturnType<typeof sql<boolean>> }>

/**
 * Adds ledger rows to the sums of a generation. Call it in the transaction that records the rows as added
 * (`setReached`) or deletes them.
 */
export async function addRows(db: DbOrTransaction, generation: number, range: LedgerRange): Promise<void> {
  for (const { account, owner, amount, requests } of owners)
    await db
      .insertInto('ledger_sums')
      .columns(['generation', 'account', 'id', 'amount', 'used', 'requests'])
      .expression((from) =>
        from
          .selectFrom('ledger')
          .select([
            sql.lit(generation).as('generation'),
            sql.lit(account).as('account'),
            `${owner} as id`,
            amount.as('amount'),
            used.as('used'),
            requests.as('requests'),
          ])
          .where('id', '>', range.after)
          .where('id', '<=', range.last)
          .where(account === 'user' ? sql<boolean>`1 = 1` : sql<boolean>`${sql.ref(owner)} > 0`)
          .where(range.only ?? sql<boolean>`1 = 1`)
          .groupBy(owner),
      )
      .onConflict((conflict) => conflict.columns(['generation', 'account', 'id']).doUpdateSet(added))
      .execute()
}

/** A refund reverses the usage of its charge. */
const used = sql<number>`sum(case when kind in ('consume', 'refund') then -amount else 0 end)`
const owners = [
  {
    account: 'user',
    owner: 'user_id',
    amount: sql<number>`sum(amount)`,
    requests: sql<number>`sum(case when kind = 'consume' then 1 else 0 end)`,
  },
  { account: 'token', owner: 'token_id', amount: sql<number>`0`, requests: sql<number>`0` },
  { account: 'channel', owner: 'channel_id', amount: sql<number>`0`, requests: sql<number>`0` },
] as const

const added = {
  amount: sql<number>`ledger_sums.amount + excluded.amount`,
  used: sql<number>`ledger_sums.used + excluded.used`,
  requests: sql<number>`ledger_sums.requests + excluded.requests`,
}

/** The generation that balances are compared with, and the last row in it; undefined before the first check. */
export async function currentGeneration(
  db: DbOrTransaction,
): Promise<{ generation: number; reached: number } | undefined> {
  const row = await db
    .selectFrom('ledger_reached')
    .select(['generation', 'ledger_id as reached'])
    .where('is_current', '=', 1)
    .orderBy('generation', 'desc')
    .executeTakeFirst()
  return row && { generation: Number(row.generation), reached: Number(row.reached) }
}

/** Creates an empty generation; `copyRemoved` then copies the sums of removed rows into it. */
export async function makeGeneration(db: DbOrTransaction, isCurrent: boolean): Promise<number> {
  const { last } = await db
    .selectFrom('ledger_reached')
    .select(({ fn }) => fn.max<number | null>('generation').as('last'))
    .executeTakeFirstOrThrow()
  const generation = Number(last ?? REMOVED) + 1
  await db
    .insertInto('ledger_reached')
    .values({ generation, ledger_id: 0, is_current: isCurrent ? 1 : 0 })
    .execute()
  return generation
}

/**
 * Copies the sums of removed rows of at most `limit` accounts, those with ids above `after`, into a generation; returns
 * the last id copied, or undefined if no account is left.
 */
export async function copyRemoved(
  db: DbOrTransaction,
  {
    generation,
    account,
    after,
    limit,
  }: Readonly<{ generation: number; account: AccountKind; after: number; limit: number }>,
): Promise<number | undefined> {
  const removed = db.selectFrom('ledger_sums').where('generation', '=', REMOVED).where('account', '=', account)
  const ids = await removed.select('id').where('id', '>', after).orderBy('id').limit(limit).execute()
  const last = ids.at(-1)?.id
  if (last === undefined) return undefined
  await db
    .insertInto('ledger_sums')
    .columns(['generation', 'account', 'id', 'amount', 'used', 'requests'])
    .expression(
      removed
        .select([sql.lit(generation).as('generation'), 'account', 'id', 'amount', 'used', 'requests'])
        .where('id', '>', after)
        .where('id', '<=', last),
    )
    .execute()
  return Number(last)
}

export const reachedBy = async (db: DbOrTransaction, generation: number): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('ledger_reached')
        .select('ledger_id')
        .where('generation', '=', generation)
        .executeTakeFirstOrThrow()
    ).ledger_id,
  )

export const setReached = (db: DbOrTransaction, generation: number, ledger_id: number): Promise<unknown> =>
  db.updateTable('ledger_reached').set({ ledger_id }).where('generation', '=', generation).execute()

export const makeCurrent = (db: DbOrTransaction, generation: number): Promise<unknown> =>
  db
    .updateTable('ledger_reached')
    .set({ is_current: sql<number>`case when generation = ${sql.lit(generation)} then 1 else 0 end` })
    .execute()

/**
 * Deletes at most `limit` sums of one generation other than `protectedGeneration`, or its record once
 * it has no sums; returns how many rows were deleted.
 */
export async function removeStale(db: DbOrTransaction, protectedGeneration: number, limit: number): Promise<number> {
  const stale = await db
    .selectFrom('ledger_reached')
    .select('generation')
    .where('generation', '<>', protectedGeneration)
    .executeTakeFirst()
  if (!stale) return 0
  const { generation } = stale
  const { account, last, count } = await firstSums(db, generation, limit)
  if (count === 0) {
    await db.deleteFrom('ledger_reached').where('generation', '=', generation).execute()
    return 1
  }
  await db
    .deleteFrom('ledger_sums')
    .where('generation', '=', generation)
    .where('account', '=', account)
    .where('id', '<=', last)
    .execute()
  return count
}

async function firstSums(db: DbOrTransaction, generation: number, limit: number) {
  const rows = await db
    .selectFrom('ledger_sums')
    .select(['account', 'id'])
    .where('generation', '=', generation)
    .orderBy('account')
    .orderBy('id')
    .limit(limit)
    .execute()
  const account = rows[0]?.account ?? ''
  const same = rows.filter((row) => row.account === account)
  return { account, last: Number(same.at(-1)?.id ?? 0), count: same.length }
}
