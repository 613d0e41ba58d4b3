import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_AT_START } from '../../../gateway/billing/ledger-checks.ts'
import { verifyLedger } from '../../../gateway/billing/verify.ts'
import { aClock } from '../../support/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { reconcile } from '../../support/reconcile.ts'
import { aTill, charge } from './till.ts'

onEachDatabase('verifying the books', (db) => {
  beforeAll(async () => {
    const user = { created_at: 0, quota: 0, used_quota: 0, request_count: 0, deleted_at: null }
    const spender = { ...user, quota: 70, used_quota: 40, request_count: 2 }
    await db()
      .insertInto('users')
      .values([
        { ...spender, id: 1, username: 'right' },
        { ...spender, id: 2, username: 'wrong', deleted_at: 5 },
        { ...user, id: 3, username: 'unused' },
        { ...user, id: 4, username: 'from-nowhere', quota: 9 },
      ])
      .execute()
    const token = { user_id: 1, key: '', created_time: 0, used_quota: 40 }
    await db()
      .insertInto('tokens')
      .values([
        { ...token, id: 1, key_hash: 'a' },
        { ...token, id: 2, key_hash: 'b', used_quota: 1 },
      ])
      .execute()
    await db()
      .insertInto('channels')
      .values([
        { id: 1, key: '', created_time: 0, used_quota: 75 },
        { id: 2, key: '', created_time: 0, used_quota: 4 },
      ])
      .execute()
    const row = { created_at: 0, ref_type: 'test', balance_after: 0, channel_id: 0, token_id: 0 }
    const spent = { ...row, kind: 'consume', channel_id: 1, token_id: 1 }
    await db()
      .insertInto('ledger')
      .values([
        { ...row, user_id: 1, kind: 'grant', amount: 110, ref_id: '1' },
        { ...spent, user_id: 1, amount: -25, ref_id: 'r1' },
        { ...spent, user_id: 1, amount: -15, ref_id: 'r2' },
        { ...row, user_id: 2, kind: 'grant', amount: 100, ref_id: '2' },
        { ...spent, user_id: 2, amount: -35, ref_id: 'r3', token_id: 0 },
        { ...spent, user_id: 99, amount: -1, ref_id: 'r4', token_id: 98, channel_id: 97 },
      ])
      .execute()
  })

  it('names every column that differs from the ledger', async () => {
    expect(await reconcile(db())).toEqual([
      { account: 'user', id: 2, column: 'quota', recorded: 70, reckoned: 65 },
      { account: 'user', id: 2, column: 'used_quota', recorded: 40, reckoned: 35 },
      { account: 'user', id: 2, column: 'request_count', recorded: 2, reckoned: 1 },
      { account: 'user', id: 4, column: 'quota', recorded: 9, reckoned: 0 },
      { account: 'token', id: 2, column: 'used_quota', recorded: 1, reckoned: 0 },
      { account: 'channel', id: 2, column: 'used_quota', recorded: 4, reckoned: 0 },
    ])
  })

  it.each(['new', 'all', 'new', 'all'] as const)('finds the same in slices (%s)', async (scope) => {
    const progress = { rows: 0, accounts: 0 }
    const found = await verifyLedger(db(), { scope, progress, clock: aClock(0) })
    const plain = (await reconcile(db())).map(({ reckoned, recorded, ...one }) => ({
      ...one,
      recorded: String(recorded),
      summed: String(reckoned),
    }))
    expect(found).toEqual(plain)
    expect(progress.accounts).toBe(8)
  })
})

describe('the start', () => {
  it('reports balances that do not add up, and repairs nothing', async () => {
    const till = await aTill()
    const alice = await till.user(100)
    till.hold('r1', { user: alice }).settle(charge(30))
    await till.close()
    expect((await aTill(till.folder)).said).toEqual([])
    const broken = await aTill(till.killed())
    await broken.database.db.updateTable('users').set({ quota: 1000 }).where('id', '=', alice).execute()
    const again = await aTill(broken.killed())
    expect(again.said).toMatchObject([{ level: 'error', fields: { account: 'user', id: alice, column: 'quota' } }])
    expect(await again.userRow(alice)).toMatchObject({ quota: 1000 })
  })

  it('does not wait for a ledger longer than that', async () => {
    const till = await aTill()
    const { writer } = till.database
    writer.exec(`insert into ledger (created_at, user_id, kind, amount, ref_type, ref_id, balance_after)
      with recursive n (i) as (select 1 union all select i + 1 from n where i <= ${MAX_AT_START})
      select 0, 1, 'grant', 1, 'test', i, i from n`)
    await till.close()
    expect((await aTill(till.folder)).said).toMatchObject([{ level: 'info' }])
  })
})
