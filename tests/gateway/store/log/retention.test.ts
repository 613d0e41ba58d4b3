import { expect, it } from 'vitest'
import { addRows, currentGeneration, makeGeneration, setReached } from '../../../../gateway/store/ledger/ledger-sums.ts'
import { retentionStore } from '../../../../gateway/store/log/retention.ts'
import { onEachDatabase } from '../../../support/databases.ts'

onEachDatabase('removing what is old', (db) => {
  it('measures entries from the newest backwards, in bytes', async () => {
    const rows = ['数', 'four', ''].map((content) => ({ user_id: 1, created_at: 0, type: 5, content }))
    await db().insertInto('logs').values(rows).execute()
    const store = retentionStore(db())
    expect(await store.measure('logs', undefined, 2)).toEqual({ first: 2, count: 2, bytes: 404 })
    expect(await store.measure('logs', 2, 2)).toEqual({ first: 1, count: 1, bytes: 203 })
    expect(await store.measure('logs', 1, 2)).toEqual({ first: 0, count: 0, bytes: 0 })
    expect(await store.removeLogsBelow(3, 10, 1)).toBe(1)
    expect(await store.measure('logs', undefined, 9)).toMatchObject({ first: 2, count: 2 })
  })

  it('moves charges that were verified into the sums of removed rows', async () => {
    const charge = { user_id: 1, token_id: 2, channel_id: 3, kind: 'consume', ref_type: 'request', balance_after: 0 }
    const rows = [10, 20, 30, 40].map((created_at) => ({
      ...charge,
      created_at,
      amount: -created_at,
      ref_id: `r${created_at}`,
    }))
    await db().insertInto('ledger').values(rows).execute()
    const store = retentionStore(db())
    const all = { after: 0, limit: 10, before: 35, below: 0, youngest: 100 }
    expect(await store.removeCharges(all)).toEqual({ last: undefined, removed: 0 })
    const generation = await makeGeneration(db(), true)
    await addRows(db(), generation, { after: 0, last: 4 })
    await setReached(db(), generation, 4)
    expect(await currentGeneration(db())).toEqual({ generation, reached: 4 })
    expect(await store.removeCharges({ ...all, youngest: 15 })).toEqual({ last: 3, removed: 1 })
    expect(await store.removeCharges({ ...all, before: 0, below: 3 })).toEqual({ last: undefined, removed: 1 })
    expect(await store.removeCharges(all)).toEqual({ last: 3, removed: 1 })
    const sums = await db()
      .selectFrom('ledger_sums')
      .selectAll()
      .where('generation', '=', 0)
      .orderBy('account')
      .execute()
    expect(sums).toEqual([
      { generation: 0, account: 'channel', id: 3, amount: 0, used: 60, requests: 0 },
      { generation: 0, account: 'token', id: 2, amount: 0, used: 60, requests: 0 },
      { generation: 0, account: 'user', id: 1, amount: -60, used: 60, requests: 3 },
    ])
    expect(await db().selectFrom('ledger').select('ref_id').execute()).toEqual([{ ref_id: 'r40' }])
  })
})
