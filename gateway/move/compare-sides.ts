import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { verifyLedger } from '../billing/verify.ts'
import { isSqlite } from '../store/match.ts'
import type { Older } from '../store/migrations/column.ts'
import type { OnStep } from './copy-tables.ts'
import { type MoveSide, untyped } from './move-side.ts'
import type { MovedTable } from './moved-tables.ts'
import { slicesOf, storableCell } from './row-slices.ts'

/** `hash` does not depend on the order of the rows, which differs between databases. */
type TableSum = Readonly<{ rows: number; hash: string }>

export async function sumOf(db: Older, table: MovedTable): Promise<TableSum> {
  let rows = 0
  let hash = 0n
  for await (const slice of slicesOf(db, table))
    for (const row of slice.rows) {
      rows += 1
      const text = JSON.stringify(table.columns.map((name) => storableCell(row[name])))
      hash = (hash + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)) % HASHES
    }
  return { rows, hash: hash.toString(16).padStart(64, '0') }
}

const HASHES = 2n ** 256n

export async function differentTables(
  source: MoveSide,
  target: MoveSide,
  tables: readonly MovedTable[],
  onStep: OnStep,
): Promise<readonly string[]> {
  const different: string[] = []
  for (const table of tables) {
    const ours = await sumOf(untyped(source), table)
    const theirs = await sumOf(untyped(target), table)
    if (ours.rows !== theirs.rows || ours.hash !== theirs.hash) different.push(table.name)
    onStep(`comparison of ${table.name}`)
  }
  return different
}

/**
 * Verifies all balances of both sides. Returns how many differ from their ledger on the source; undefined if the
 * balances or the differences of the two sides are not equal, or the pool of the target does not match its balances.
 */
export async function compareBooks(
  source: MoveSide,
  target: MoveSide,
  clock: Clock,
  onStep: OnStep,
): Promise<number | undefined> {
  const books: string[][] = []
  for (const { db } of [source, target]) {
    const found = await verifyLedger(db, { scope: 'all', progress: { rows: 0, accounts: 0 }, clock })
    books.push(found.map((difference) => JSON.stringify(difference)).sort())
    onStep('verification')
  }
  const [ours = [], theirs = []] = books
  const sums = await Promise.all([balancesOf(source.db), balancesOf(target.db)])
  const isEqual = ours.join() === theirs.join() && sums[0] === sums[1] && (await isPoolEqual(target))
  return isEqual ? ours.length : undefined
}

async function balancesOf(db: MoveSide['db']): Promise<string> {
  const { rows } = await sql<Record<string, number | null>>`select
    (select sum(quota) from users) as quota, (select sum(used_quota) from users) as used,
    (select sum(request_count) from users) as requests, (select sum(remain_quota) from tokens) as remaining,
    (select sum(used_quota) from tokens) as "usedByTokens", (select sum(used_quota) from channels) as "usedByChannels"`.execute(
    db,
  )
  return JSON.stringify(rows.map((row) => Object.values(row).map(Number)))
}

/** Whether the pool of free quota matches all balances, as it must while no quota is leased. */
async function isPoolEqual({ db }: MoveSide): Promise<boolean> {
  if (isSqlite(db)) return true
  const { rows } = await sql`select 1 from (
      select 0 as kind, id, quota from users union all select 1, id, remain_quota from tokens) as b
    full join pool p on p.kind = b.kind and p.id = b.id where p.free is distinct from b.quota limit 1`.execute(db)
  return rows.length === 0
}
