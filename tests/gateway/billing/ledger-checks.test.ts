import { setImmediate as nextCommit } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type VerifyProgress, verifyLedger } from '../../../gateway/billing/verify.ts'
import { ledgerCheckStore } from '../../../gateway/store/ledger/ledger-checks.ts'
import { aTill, charge, NOW, type Till } from './till.ts'

const byUser = { kind: 'user', username: 'root' } as const

async function checked(till: Till, scope: 'new' | 'all' = 'new') {
  till.checks.begin(scope, byUser)
  await till.checks.idle()
  const [newest] = await ledgerCheckStore(till.database.db).newest(1)
  return newest
}

/** Writes grants of 1 to one user directly to the database, with the matching balance. */
function manyRows(till: Till, user: number, count: number): void {
  till.database.writer.exec(`begin;
    insert into ledger (created_at, user_id, kind, amount, ref_type, ref_id, balance_after)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
      select ${NOW}, ${user}, 'grant', 1, 'many', i, i from n;
    update users set quota = quota + ${count} where id = ${user};
    commit`)
}

const spoil = (till: Till, user: number, quota: number) =>
  till.database.db
    .updateTable('users')
    .set((eb) => ({ quota: eb('quota', '+', quota) }))
    .where('id', '=', user)
    .execute()

describe('a ledger check', () => {
  it('reads only the rows since the last check, and everything when requested', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    manyRows(till, alice, 5000)
    expect(await checked(till)).toMatchObject({ scope: 'new', state: 'done', ledger_rows: 5001, differences: 0 })
    expect(await checked(till)).toMatchObject({ ledger_rows: 0, accounts: 1, differences: 0 })
    till.hold('r1', { user: alice }).settle(charge(30))
    await till.ledger.flush()
    expect(await checked(till)).toMatchObject({ ledger_rows: 1, differences: 0 })
    expect(await checked(till, 'all')).toMatchObject({ scope: 'all', ledger_rows: 5002, differences: 0 })
    expect(await checked(till)).toMatchObject({ ledger_rows: 0, started_by: 'user', username: 'root' })
    expect(till.said).toEqual([])
  })

  it('finds no difference while requests are charged and quota is moved', async () => {
    const till = await aTill()
    const users = [await till.user(100_000), await till.user(100_000), await till.user(100_000)]
    manyRows(till, users[0] ?? 0, 20_000)
    let going = true
    const traffic = (async () => {
      for (let turn = 0; going; turn += 1) {
        const user = users[turn % users.length] ?? 0
        till.hold(`r${turn}`, { user, quota: 1 }).settle(charge(1))
        if (turn % 10 === 0)
          await till.ledger.move({ kind: 'admin', userId: user, amount: 3, refType: 't', refId: `${turn}` })
        await new Promise(setImmediate)
      }
    })()
    for (const scope of ['all', 'new', 'all', 'new'] as const)
      expect(await checked(till, scope)).toMatchObject({ state: 'done', differences: 0 })
    going = false
    await traffic
    expect(await till.wrong()).toEqual([])
  })

  it('reports a difference as an error, changes nothing, and reports it again until an administrator acknowledges it', async () => {
    const till = await aTill()
    const root = await till.user(0)
    await till.database.db.updateTable('users').set({ role: 100 }).where('id', '=', root).execute()
    const alice = await till.user(1000)
    await spoil(till, alice, 7)
    const store = ledgerCheckStore(till.database.db)
    expect(await checked(till)).toMatchObject({ differences: 1 })
    expect(till.said).toMatchObject([
      { level: 'error', fields: { account: 'user', id: alice, column: 'quota', recorded: '1007', summed: '1000' } },
    ])
    await till.ledger.flush()
    const rows = await till.database.db.selectFrom('logs').selectAll().where('type', '=', 4).execute()
    expect(rows).toMatchObject([{ user_id: root, content: expect.stringContaining(`user #${alice}`) }])
    till.hold('r1', { user: alice }).settle(charge(30))
    await till.ledger.flush()
    await checked(till, 'all')
    const open = await store.unacknowledged(10)
    expect(open).toMatchObject([{ account_id: alice, recorded: '977', summed: '970', gap: '7' }])
    expect(await till.userRow(alice)).toMatchObject({ quota: 977 })

    await store.acknowledge(open[0]?.id ?? 0, NOW, 'root')
    await till.ledger.flush()
    const told = async () =>
      (await till.database.db.selectFrom('logs').select('id').where('type', '=', 4).execute()).length
    const before = await told()
    expect(await checked(till)).toMatchObject({ differences: 1 })
    await till.ledger.flush()
    expect([await told(), await store.unacknowledged(10)]).toEqual([before, []])

    await spoil(till, alice, 1)
    await checked(till)
    expect(await store.unacknowledged(10)).toMatchObject([{ gap: '8' }])
  })

  it('finds changes to accounts and rows that earlier checks had already read', async () => {
    const till = await aTill()
    const [alice, bob] = [await till.user(1000), await till.user(500)]
    await checked(till)
    await spoil(till, bob, -1)
    expect(await checked(till)).toMatchObject({ ledger_rows: 0, differences: 1 })
    await spoil(till, bob, 1)
    await till.database.db.updateTable('ledger').set({ amount: 999 }).where('user_id', '=', alice).execute()
    expect(await checked(till)).toMatchObject({ differences: 0 })
    expect(await checked(till, 'all')).toMatchObject({ differences: 1 })
  })

  it('verifies everything where the newest verified rows are gone', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    manyRows(till, alice, 10)
    await checked(till)
    await till.database.db.deleteFrom('ledger').where('ref_type', '=', 'many').execute()
    expect(await checked(till)).toMatchObject({ scope: 'all', differences: 1 })
    expect(till.said[0]).toMatchObject({ level: 'error', message: expect.stringContaining('missing') })
  })

  it('is exact where sums leave the safe integers', async () => {
    const till = await aTill()
    const alice = await till.user(0)
    const max = 1_000_000_000_000_000
    till.database.writer.exec(`insert into ledger (created_at, user_id, kind, amount, ref_type, ref_id, balance_after)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 20)
      select 0, ${alice}, 'grant', case when i < 20 then ${max} else 1 end, 'big', i, 0 from n`)
    await checked(till)
    const [found] = await ledgerCheckStore(till.database.db).unacknowledged(1)
    expect(found).toMatchObject({ recorded: '0', summed: '19000000000000001', gap: '-19000000000000001' })
  })

  it('is one at a time, can be cancelled, and continues from there', async () => {
    const till = await aTill()
    const alice = await till.user(0)
    manyRows(till, alice, 30_000)
    till.checks.begin('new', byUser)
    expect(() => till.checks.begin('all', byUser)).toThrow(expect.objectContaining({ kind: 'invalid' }))
    while (till.checks.running()?.rows === 0) await nextCommit()
    till.checks.cancel()
    await till.checks.idle()
    const [cancelled] = await ledgerCheckStore(till.database.db).newest(1)
    expect(cancelled).toMatchObject({ state: 'cancelled', differences: 0 })
    expect(till.checks.running()).toBeNull()
    const rest = await checked(till)
    expect((cancelled?.ledger_rows ?? 0) + (rest?.ledger_rows ?? 0)).toBe(30_000)
    expect(rest).toMatchObject({ state: 'done', differences: 0 })
  })

  it('starts again after a kill, from any slice', async () => {
    const till = await aTill()
    const alice = await till.user(0)
    manyRows(till, alice, 9000)
    await checked(till)
    const folders: string[] = []
    const progress: VerifyProgress = {
      accounts: 0,
      get rows() {
        return folders.length
      },
      set rows(_) {
        folders.push(till.killed())
      },
    }
    await verifyLedger(till.database.db, { scope: 'all', progress, clock: till.clock })
    expect(folders.length).toBeGreaterThan(3)
    for (const folder of folders.slice(1, 4)) {
      const again = await aTill(folder)
      expect(again.said).toEqual([])
      expect(await checked(again, 'all')).toMatchObject({ ledger_rows: 9000, differences: 0 })
      await again.close()
    }
  })
})
