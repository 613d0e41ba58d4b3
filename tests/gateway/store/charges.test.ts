import { expect, it } from 'vitest'
import { callerRows } from '../../../gateway/store/accounts/callers.ts'
import { tokenCharges } from '../../../gateway/store/ledger/token-charges.ts'
import type { NewLedger } from '../../../gateway/store/schema/schema.ts'
import { onEachDatabase } from '../../support/databases.ts'

const NOW = 1_700_000_000

onEachDatabase('what the relay reads of every request', (db, _, prepare) => {
  it('is a token with its account, neither of them deleted', async () => {
    const rows = callerRows(db(), prepare)
    const user = async (username: string, deleted_at: number | null = null) =>
      db()
        .insertInto('users')
        .values({ username, created_at: NOW, group: 'vip', deleted_at })
        .returning('id')
        .executeTakeFirstOrThrow()
    const token = (user_id: number, key_hash: string, deleted_at: number | null = null) =>
      db()
        .insertInto('tokens')
        .values({ user_id, key_hash, key: 'sealed', name: key_hash, created_time: NOW, budget_day: 5e12, deleted_at })
        .returning('id')
        .executeTakeFirstOrThrow()
    const { id } = await user('ann')
    const kept = await token(id, 'kept')
    const removed = await token(id, 'removed', 5)
    await token((await user('gone', 5)).id, 'of one who is gone')
    const found = await rows.byHash('kept')
    const shown = { user_id: id, username: 'ann', user_group: 'vip', token_id: kept.id, token_name: 'kept' }
    expect(found).toMatchObject({ ...shown, budget_day: 5e12, expired_time: -1, model_limits_enabled: 0 })
    expect(await rows.byTokenId(kept.id)).toEqual(found)
    expect([await rows.byHash('removed'), await rows.byTokenId(removed.id)]).toEqual([undefined, undefined])
    expect([await rows.byHash('of one who is gone'), await rows.byHash('nobodys')]).toEqual([undefined, undefined])
    expect(await rows.user(id)).toMatchObject({ user_id: id, username: 'ann', user_status: 1 })
    expect(await rows.user(id + 1)).toBeUndefined()
  })

  it('are the charges of a token, in their order and as far as they were written', async () => {
    const charges = tokenCharges(db(), prepare)
    expect([await charges.newest(), await charges.sum(7, 0, NOW, 1000)]).toEqual([0, 0])
    const row = (token_id: number, created_at: number, amount: number, fields: Partial<NewLedger> = {}): NewLedger => ({
      user_id: 1,
      token_id,
      created_at,
      amount,
      kind: 'consume',
      ref_type: 'request',
      ref_id: `r${token_id} ${created_at}`,
      balance_after: 0,
      ...fields,
    })
    const rows = [
      row(7, 10, -4e11),
      row(7, 20, -5e11),
      row(8, 20, -7),
      row(7, 30, -1),
      row(7, 25, 100, { kind: 'grant', ref_id: 'a gift' }),
    ]
    await db().insertInto('ledger').values(rows).execute()
    const newest = await charges.newest()
    expect(newest).toBeGreaterThan(0)
    expect(await charges.sum(7, 10, 30, newest)).toBe(9e11)
    expect(await charges.sum(7, 11, 31, newest)).toBe(5e11 + 1)
    const of20 = await charges.rowOf('r7 20')
    expect(await charges.sum(7, 0, 100, of20 ?? 0)).toBe(9e11)
    expect([await charges.firstFrom(7, 11), await charges.firstFrom(7, 31)]).toEqual([20, undefined])
    expect(await charges.rowOf('a gift')).toBeUndefined()
  })
})
