import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { AccountKind, Difference } from './ledger-sums.ts'

export type Compared = Readonly<{ last: number; count: number; differences: Difference[] }>

type Slice = Readonly<{ generation: number; account: AccountKind; after: number; limit: number }>

/**
 * Compares at most `limit` accounts after id `after` with a generation of sums
 * (docs/reference/reliability.md#money-invariants). The comparison runs in SQL, so large integers stay exact. Call it
 * within the transaction that brings the sums up to date.
 */
export async function compareAccounts(db: Kysely<Schema>, slice: Slice): Promise<Compared> {
  const table = tables[slice.account]
  const ids = await db
    .selectFrom(table)
    .select('id')
    .where('id', '>', slice.after)
    .orderBy('id')
    .limit(slice.limit)
    .execute()
  const last = Number(ids.at(-1)?.id ?? slice.after)
  const range = { ...slice, last }
  const differences = slice.account === 'user' ? await ofUsers(db, range) : await ofSpenders(db, range)
  return { last, count: ids.length, differences }
}

const tables = { user: 'users', token: 'tokens', channel: 'channels' } as const

type Range = Slice & Readonly<{ last: number }>

async function ofUsers(db: Kysely<Schema>, { generation, after, last }: Range): Promise<Difference[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('ledger_sums as sums', (join) =>
      join.onRef('sums.id', '=', 'users.id').on('sums.generation', '=', generation).on('sums.account', '=', 'user'),
    )
    .select('users.id')
    .select([
      sql<string>`cast(users.quota as text)`.as('quota'),
      sql<string>`cast(users.used_quota as text)`.as('used'),
      sql<string>`cast(users.request_count as text)`.as('requests'),
      sql<string>`cast(coalesce(sums.amount, 0) as text)`.as('summedQuota'),
      sql<string>`cast(coalesce(sums.used, 0) as text)`.as('summedUsed'),
      sql<string>`cast(coalesce(sums.requests, 0) as text)`.as('summedRequests'),
    ])
    .where('users.id', '>', after)
    .where('users.id', '<=', last)
    .where(
      sql<boolean>`(users.quota <> coalesce(sums.amount, 0) or users.used_quota <> coalesce(sums.used, 0) or users.request_count <> coalesce(sums.requests, 0))`,
    )
    .orderBy('users.id')
    .execute()
  return rows.flatMap(({ id, ...row }) => {
    const of = (column: Difference['column'], recorded: string, summed: string): Difference[] =>
      recorded === summed ? [] : [{ account: 'user', id: Number(id), column, recorded, summed }]
    return [
      ...of('quota', row.quota, row.summedQuota),
      ...of('used_quota', row.used, row.summedUsed),
      ...of('request_count', row.requests, row.summedRequests),
    ]
  })
}

async function ofSpenders(db: Kysely<Schema>, { generation, account, after, last }: Range): Promise<Difference[]> {
  const table = account === 'token' ? 'tokens' : 'channels'
  const rows = await db
    .selectFrom(table)
    .leftJoin('ledger_sums as sums', (join) =>
      join.onRef('sums.id', '=', `${table}.id`).on('sums.generation', '=', generation).on('sums.account', '=', account),
    )
    .select(`${table}.id as id`)
    .select([
      sql<string>`cast(${sql.ref(`${table}.used_quota`)} as text)`.as('recorded'),
      sql<string>`cast(coalesce(sums.used, 0) as text)`.as('summed'),
    ])
    .where(`${table}.id`, '>', after)
    .where(`${table}.id`, '<=', last)
    .where(sql<boolean>`${sql.ref(`${table}.used_quota`)} <> coalesce(sums.used, 0)`)
    .orderBy(`${table}.id`)
    .execute()
  return rows.map(({ id, recorded, summed }) => ({
    account,
    id: Number(id),
    column: 'used_quota',
    recorded,
    summed,
  }))
}
