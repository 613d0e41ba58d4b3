import { sql } from 'kysely'
import type { Logger } from '../base/logger.ts'
import type { Db } from '../store/database.ts'

/** A column that says something else than the ledger does. */
export type WrongBook = Readonly<{
  account: 'user' | 'token' | 'channel'
  id: number
  column: 'quota' | 'used_quota' | 'request_count'
  recorded: number
  /** What the rows of the ledger add up to. */
  reckoned: number
}>

/**
 * Compares every user, token and channel with the ledger they are kept by (reliability-security.md §3, M1 to M3); empty
 * when all is well. Reads committed rows only, changes nothing; reads the whole ledger three times.
 */
export async function verifyBooks(db: Db): Promise<WrongBook[]> {
  return [...(await wrongUsers(db)), ...(await wrongSpending(db, 'tokens')), ...(await wrongSpending(db, 'channels'))]
}

/** More rows than this are not verified at start: it would hold up the first answer. */
export const MOST_VERIFIED = 200_000
const MOST_TOLD = 20

/** Verifies the books and logs what is wrong as an incident; nothing is repaired. Leaves books that are too long alone. */
export async function reportBooks(db: Db, log: Logger): Promise<void> {
  if (await isLong(db)) {
    log.info('the books are too long to be verified at every start', { rows: MOST_VERIFIED })
    return
  }
  const found = await verifyBooks(db)
  for (const one of found.slice(0, MOST_TOLD)) log.error('the books do not add up', { ...one, columns: found.length })
}

async function isLong(db: Db): Promise<boolean> {
  const beyond = await db.selectFrom('ledger').select('id').orderBy('id').offset(MOST_VERIFIED).limit(1).execute()
  return beyond.length > 0
}

const charged = sql<number>`-sum(case when kind = 'consume' then amount else 0 end)`
const requests = sql<number>`sum(case when kind = 'consume' then 1 else 0 end)`

async function wrongUsers(db: Db): Promise<WrongBook[]> {
  const rows = await db
    .with('reckoned', (query) =>
      query
        .selectFrom('ledger')
        .select(['user_id', sql<number>`sum(amount)`.as('quota'), charged.as('used'), requests.as('requests')])
        .groupBy('user_id'),
    )
    .selectFrom('users')
    .leftJoin('reckoned', 'reckoned.user_id', 'users.id')
    .select(['users.id', 'users.quota', 'users.used_quota', 'users.request_count'])
    .select(({ fn, lit }) => [
      fn.coalesce('reckoned.quota', lit(0)).as('reckonedQuota'),
      fn.coalesce('reckoned.used', lit(0)).as('reckonedUsed'),
      fn.coalesce('reckoned.requests', lit(0)).as('reckonedRequests'),
    ])
    .execute()
  return rows.flatMap((row) => [
    ...wrong('user', row.id, 'quota', row.quota, row.reckonedQuota),
    ...wrong('user', row.id, 'used_quota', row.used_quota, row.reckonedUsed),
    ...wrong('user', row.id, 'request_count', row.request_count, row.reckonedRequests),
  ])
}

async function wrongSpending(db: Db, table: 'tokens' | 'channels'): Promise<WrongBook[]> {
  const owner = table === 'tokens' ? 'token_id' : 'channel_id'
  const rows = await db
    .with('reckoned', (query) =>
      query
        .selectFrom('ledger')
        .select([`${owner} as owner`, charged.as('used')])
        .where(owner, '>', 0)
        .groupBy(owner),
    )
    .selectFrom(table)
    .leftJoin('reckoned', 'reckoned.owner', `${table}.id`)
    .select([`${table}.id as id`, `${table}.used_quota as used`])
    .select(({ fn, lit }) => fn.coalesce('reckoned.used', lit(0)).as('reckonedUsed'))
    .execute()
  const account = table === 'tokens' ? 'token' : 'channel'
  return rows.flatMap((row) => wrong(account, row.id, 'used_quota', row.used, row.reckonedUsed))
}

/** Sums come as text from a database whose sums are wider than its columns. */
function wrong(
  account: WrongBook['account'],
  id: number,
  column: WrongBook['column'],
  recorded: number,
  sum: number | string,
): WrongBook[] {
  const reckoned = Number(sum)
  return recorded === reckoned ? [] : [{ account, id, column, recorded, reckoned }]
}
