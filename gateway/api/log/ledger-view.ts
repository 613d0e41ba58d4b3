import type { LedgerCheck, LedgerDifference } from '../../../shared/api/ledger.ts'
import type { LedgerCheckRow, LedgerDifferenceRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'

export const checkView = (row: LedgerCheckRow): LedgerCheck => ({
  ...row,
  // Only written by `ledger-checks.ts`, with these values.
  scope: row.scope as LedgerCheck['scope'],
  started_by: row.started_by as LedgerCheck['started_by'],
  state: row.state as LedgerCheck['state'],
})

export async function differenceViews(db: Db, rows: readonly LedgerDifferenceRow[]): Promise<LedgerDifference[]> {
  const idsOf = (account: string) => rows.filter((row) => row.account === account).map((row) => row.account_id)
  const names = {
    user: await namesOf(db.selectFrom('users').select(['id', 'username as name']), idsOf('user')),
    token: await namesOf(db.selectFrom('tokens').select(['id', 'name']), idsOf('token')),
    channel: await namesOf(db.selectFrom('channels').select(['id', 'name']), idsOf('channel')),
  }
  return rows.map((row) => {
    const account = row.account as LedgerDifference['account'] // as above
    return {
      id: row.id,
      account,
      account_id: row.account_id,
      name: names[account].get(row.account_id) ?? '',
      column: row.column_name as LedgerDifference['column'],
      recorded: row.recorded,
      summed: row.summed,
      found_at: row.found_at,
      seen_at: row.seen_at,
    }
  })
}

type Named = Readonly<{
  where(column: 'id', operator: 'in', ids: readonly number[]): { execute(): Promise<{ id: number; name: string }[]> }
}>

async function namesOf(query: Named, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await query.where('id', 'in', ids).execute()).map(({ id, name }) => [id, name]))
}
