import type { Db } from './sqlite/database.ts'

/** Creation time of the newest row of the log or the ledger, in unix seconds; 0 if both are empty. */
export async function newestStamp(db: Db): Promise<number> {
  const newest = (table: 'logs' | 'ledger') =>
    db.selectFrom(table).select('created_at').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const [log, charge] = await Promise.all([newest('logs'), newest('ledger')])
  return Math.max(Number(log?.created_at ?? 0), Number(charge?.created_at ?? 0))
}
