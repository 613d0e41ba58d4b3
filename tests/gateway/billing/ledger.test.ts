import { describe, expect, it } from 'vitest'
import { aTill, charge, logRow } from './till.ts'

describe('a reservation (docs/reference/billing.md#hold, docs/reference/billing.md#charge)', () => {
  it('is charged once, however often it is settled or released', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const token = await till.token(alice, 500)
    const channel = await till.channel()
    const hold = till.hold('r1', { user: alice, token, quota: 300 })
    hold.settle(charge(120, { request_id: 'r1', user_id: alice }, channel))
    hold.settle(charge(120))
    hold.release()
    hold.checkpoint(charge(90))
    hold.release()
    expect(await till.wrong()).toEqual([])
    expect(await till.userRow(alice)).toEqual({ quota: 880, used_quota: 120, request_count: 1 })
    expect(await till.tokenRow(token)).toEqual({ remain_quota: 380, used_quota: 120 })
    expect(await till.ledgerRows()).toMatchObject([{ kind: 'grant' }, { amount: -120, balance_after: 880 }])
    expect(await till.logRows()).toMatchObject([{ user_id: alice, type: 2, quota: 120, request_id: 'r1' }])
  })

  it('gives everything back when released', async () => {
    const till = await aTill()
    const alice = await till.user(100)
    const token = await till.token(alice, 100)
    for (let turn = 0; turn < 10; turn += 1) {
      const hold = till.hold(`r${turn}`, { user: alice, token, quota: 100 })
      expect(() => till.hold('other', { user: alice, token, quota: 1 })).toThrow()
      hold.release()
      hold.release()
      hold.settle(charge(100))
    }
    expect(await till.userRow(alice)).toMatchObject({ quota: 100, request_count: 0 })
    expect(await till.ledgerRows()).toHaveLength(1)
  })

  it('charges the last checkpoint when it is released after one', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const hold = till.hold('r1', { user: alice, quota: 500 })
    hold.checkpoint(charge(10))
    hold.checkpoint(charge(25))
    hold.release()
    expect(await till.wrong()).toEqual([])
    expect(await till.userRow(alice)).toMatchObject({ quota: 975, request_count: 1 })
  })

  it('is refused beyond the user’s balance, with running requests included', async () => {
    const till = await aTill()
    const alice = await till.user(250)
    const holds = Array.from({ length: 2 }, (_, index) => till.hold(`r${index}`, { user: alice }))
    expect(() => till.hold('r2', { user: alice })).toThrow(
      expect.objectContaining({
        kind: 'exhausted',
        key: 'relay.userQuotaShort',
        code: 'insufficient_user_quota',
        params: { have: '50 units', need: '100 units' },
      }),
    )
    till.hold('r3', { user: alice, quota: 50 })
    expect(() => till.hold('r4', { user: alice, quota: 1 })).toThrow(
      expect.objectContaining({ kind: 'exhausted', key: 'relay.userQuota' }),
    )
    till.hold('free', { user: alice, quota: 0 }).settle(charge(0))
    holds[0]?.settle(charge(10))
    till.hold('r5', { user: alice, quota: 90 })
    expect(() => till.hold('r6', { user: alice, quota: 1 })).toThrow()
  })

  it('is refused beyond the quota of a limited token, which an unlimited token does not have', async () => {
    const till = await aTill()
    const alice = await till.user(10_000)
    const limited = await till.token(alice, 250)
    const unlimited = await till.token(alice)
    till.hold('r0', { user: alice, token: limited })
    till.hold('r1', { user: alice, token: limited })
    expect(() => till.hold('r2', { user: alice, token: limited })).toThrow(
      expect.objectContaining({ kind: 'exhausted', code: 'pre_consume_token_quota_failed' }),
    )
    till.hold('r3', { user: alice, token: unlimited, quota: 5000 }).settle(charge(4000))
    expect(await till.wrong()).toEqual([])
    expect(await till.tokenRow(unlimited)).toEqual({ remain_quota: 0, used_quota: 4000 })
  })

  it('lets one answer cost more than was reserved, and nothing after it', async () => {
    const till = await aTill()
    const alice = await till.user(100)
    till.hold('r1', { user: alice }).settle(charge(140))
    expect(() => till.hold('r2', { user: alice, quota: 1 })).toThrow(expect.objectContaining({ kind: 'exhausted' }))
    expect(await till.wrong()).toEqual([])
    expect(await till.userRow(alice)).toMatchObject({ quota: -40, used_quota: 140 })
  })

  it('knows no user that is not there', async () => {
    const till = await aTill()
    expect(() => till.hold('r1', { user: 99 })).toThrow(expect.objectContaining({ kind: 'unauthenticated' }))
  })
})

describe('the group commit (docs/reference/performance.md#the-ledger)', () => {
  it('writes many charges in few transactions, one row each, the chain of balances unbroken', async () => {
    const till = await aTill()
    const users = [await till.user(100_000), await till.user(100_000)]
    const token = await till.token(users[0] ?? 0, 50_000)
    const channel = await till.channel()
    const before = till.database.writer.prepare('select sequence from journal_anchor').pluck()
    for (let turn = 0; turn < 500; turn += 1) {
      const user = users[turn % 2] ?? 0
      till.hold(`r${turn}`, { user, token: turn % 2 === 0 ? token : 0 }).settle(charge(turn % 7, {}, channel))
    }
    expect(before.get()).toBe(0)
    expect(await till.wrong()).toEqual([])
    expect(before.get()).toBe(500)
    expect(await till.logRows()).toHaveLength(500)
    const rows = await till.ledgerRows()
    for (const id of users) {
      let balance = 0
      for (const row of rows.filter(({ user_id }) => user_id === id)) {
        balance += row.amount
        expect(row.balance_after).toBe(balance)
      }
      expect((await till.userRow(id)).quota).toBe(balance)
    }
  })

  it('writes rows that move no money with the rest', async () => {
    const till = await aTill()
    till.ledger.auditLog.record(logRow({ type: 5, content: 'refused' }))
    till.ledger.auditLog.record(logRow({ type: 3, content: 'an administrator did something' }))
    await till.ledger.flush()
    expect((await till.logRows()).map(({ type }) => type)).toEqual([5, 3])
    expect(await till.ledgerRows()).toEqual([])
  })

  it('has everything written when it is closed', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    for (let turn = 0; turn < 250; turn += 1) till.hold(`r${turn}`, { user: alice }).settle(charge(1))
    const { folder } = till
    await till.close()
    const again = await aTill(folder)
    expect(await again.userRow(alice)).toEqual({ quota: 750, used_quota: 250, request_count: 250 })
    expect(again.said).toEqual([])
  })

  it('retains accounts for requests of deleted users, tokens and channels', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const token = await till.token(alice, 1000)
    const channel = await till.channel()
    const hold = till.hold('r1', { user: alice, token })
    const { db } = till.database
    await db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', alice).execute()
    await db.updateTable('tokens').set({ deleted_at: 1 }).where('id', '=', token).execute()
    await db.deleteFrom('channels').where('id', '=', channel).execute()
    till.ledger.forget({ userId: alice, tokenId: token })
    hold.settle(charge(70, {}, channel))
    expect(await till.wrong()).toEqual([])
    expect(await till.userRow(alice)).toMatchObject({ quota: 930 })
    expect(await till.tokenRow(token)).toEqual({ remain_quota: 930, used_quota: 70 })
  })
  it('retains accounts likewise while nothing is reserved for a request', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const hold = till.hold('free', { user: alice, quota: 0 })
    till.ledger.forget({ userId: alice })
    const other = till.hold('r1', { user: alice, quota: 600 })
    hold.settle(charge(700))
    expect(() => till.hold('r2', { user: alice, quota: 400 })).toThrow()
    other.release()
    expect(till.hold('r3', { user: alice, quota: 300 }).quota).toBe(300)
  })
})
