import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** The database, or a transaction of it. */
type Reach = Kysely<Schema>

export type AccountKind = 'user' | 'token' | 'channel'
/** A column of an account that says something else than the rows of the ledger add up to; whole numbers as text. */
export type Difference = Readonly<{
  account: AccountKind
  id: number
  column: 'quota' | 'used_quota' | 'request_count'
  recorded: string
  summed: string
}>

/** The generation that holds what retention has removed. */
export const REMOVED = 0

/** The ledger's rows of one stretch, the last of them and how many there are. */
export type Rows = Readonly<{ last: number; count: number }>

/** At most `limit` rows that follow `after`, in the order they were written; `below` bounds their ids. */
export async function rowsAfter(db: Reach, after: number, limit: number, below?: number): Promise<Rows> {
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

/** Which rows are added up: those with greater ids than `after` up to `last`, and what else must hold for them. */
type LedgerRange = Readonly<{ after: number; last: number; only?: ReturnType<typeof sql<boolean>> }>

/** Adds rows of the ledger to the sums of a generation; to be used within a transaction that remembers them as added. */
export async function addRows(db: Reach, generation: number, stretch: LedgerRange): Promise<void> {
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
          .where('id', '>', stretch.after)
          .where('id', '<=', stretch.last)
          .where(account === 'user' ? sql<boolean>`1 = 1` : sql<boolean>`${sql.ref(owner)} > 0`)
          .where(stretch.only ?? sql<boolean>`1 = 1`)
          .groupBy(owner),
      )
      .onConflict((conflict) => conflict.columns(['generation', 'account', 'id']).doUpdateSet(added))
      .execute()
}

/** A refund takes back what its charge had used. */
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
export async function currentGeneration(db: Reach): Promise<{ generation: number; reached: number } | undefined> {
  const row = await db
    .selectFrom('ledger_reached')
    .select(['generation', 'ledger_id as reached'])
    .where('is_current', '=', 1)
    .executeTakeFirst()
  return row && { generation: Number(row.generation), reached: Number(row.reached) }
}

/** Makes a generation that begins with what retention has removed, which is copied by `copyRemoved`. */
export async function makeGeneration(db: Reach, isCurrent: boolean): Promise<number> {
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

/** Copies at most `limit` sums of removed rows that follow `after` into a generation; answers the last id, or undefined at the end. */
export async function copyRemoved(
  db: Reach,
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

/** The last row that is in a generation. */
export const reachedBy = async (db: Reach, generation: number): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('ledger_reached')
        .select('ledger_id')
        .where('generation', '=', generation)
        .executeTakeFirstOrThrow()
    ).ledger_id,
  )

/** Remembers the last row that is in a generation. */
export const setReached = (db: Reach, generation: number, ledger_id: number): Promise<unknown> =>
  db.updateTable('ledger_reached').set({ ledger_id }).where('generation', '=', generation).execute()

/** From now on balances are compared with this generation. */
export const makeCurrent = (db: Reach, generation: number): Promise<unknown> =>
  db
    .updateTable('ledger_reached')
    .set({ is_current: sql<number>`case when generation = ${sql.lit(generation)} then 1 else 0 end` })
    .execute()

/** Removes at most `limit` sums of generations that are not current and not `kept`; answers how many there were. */
export async function removeStale(db: Reach, kept: number, limit: number): Promise<number> {
  const stale = await db
    .selectFrom('ledger_reached')
    .select('generation')
    .where('is_current', '=', 0)
    .where('generation', '<>', kept)
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

async function firstSums(db: Reach, generation: number, limit: number) {
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
