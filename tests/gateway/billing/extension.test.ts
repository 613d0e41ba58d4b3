import { describe, expect, it } from 'vitest'
import { aTill, charge } from './till.ts'

const ask = (requestId: string, userId: number, tokenId: number, quota: number, min: number) => ({
  requestId,
  userId,
  tokenId,
  quota,
  minQuota: min,
})

describe('a reservation (docs/reference/performance.md#the-ledger)', () => {
  it('takes the remaining quota where that is enough, and refuses where it is not', async () => {
    const till = await aTill()
    const alice = await till.user(100)
    const one = till.ledger.hold(ask('r1', alice, 0, 70, 10))
    const two = till.ledger.hold(ask('r2', alice, 0, 70, 10))
    expect([one.quota, two.quota]).toEqual([70, 30])
    expect(() => till.ledger.hold(ask('r3', alice, 0, 70, 1))).toThrow(
      expect.objectContaining({ code: 'insufficient_user_quota' }),
    )
    one.settle(charge(65))
    expect(() => till.ledger.hold(ask('r4', alice, 0, 70, 10))).toThrow(
      expect.objectContaining({ key: 'relay.userQuotaShort', params: { have: '5 units', need: '10 units' } }),
    )
    two.release()
    expect(till.ledger.hold(ask('r5', alice, 0, 70, 10)).quota).toBe(35)
  })

  it.each([
    [-1, -1],
    [10, -1],
    [Number.NaN, 0],
  ])('is never negative (%s, %s), which would lend quota that does not exist', async (quota, min) => {
    const till = await aTill()
    const alice = await till.user(100)
    expect(() => till.ledger.hold(ask('r1', alice, 0, quota, min))).toThrow(RangeError)
    expect(till.ledger.hold(ask('r2', alice, 0, 200, 1)).quota).toBe(100)
  })

  it('never takes more of a limited token than it has, no matter how much the user has', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const token = await till.token(alice, 50)
    const hold = till.ledger.hold(ask('r1', alice, token, 200, 20))
    expect(hold.quota).toBe(50)
    expect(hold.extend(1)).toBe(false)
    expect(() => till.ledger.hold(ask('r2', alice, token, 200, 1))).toThrow(
      expect.objectContaining({ code: 'pre_consume_token_quota_failed' }),
    )
    hold.settle(charge(20))
    expect(till.ledger.hold(ask('r3', alice, token, 200, 30)).quota).toBe(30)
  })

  it('is extended by the full amount, by what remains of the balance, or not at all', async () => {
    const till = await aTill()
    const alice = await till.user(100)
    const hold = till.ledger.hold(ask('r1', alice, 0, 40, 40))
    expect([hold.extend(20), hold.quota]).toEqual([true, 60])
    expect([hold.extend(50), hold.quota]).toEqual([false, 60])
    expect([hold.extend(50, 41), hold.quota]).toEqual([false, 60])
    expect([hold.extend(50, 40), hold.quota]).toEqual([true, 100])
    expect([hold.extend(1), hold.quota]).toEqual([false, 100])
    expect(() => till.hold('r2', { user: alice, quota: 1 })).toThrow()
    hold.settle(charge(90))
    expect(hold.extend(1)).toBe(false)
    till.hold('r3', { user: alice, quota: 10 }).release()
    expect(await till.wrong()).toEqual([])
  })

  it('gives all of it back when it is released', async () => {
    const till = await aTill()
    const alice = await till.user(100)
    const token = await till.token(alice, 100)
    const hold = till.ledger.hold(ask('r1', alice, token, 10, 10))
    expect(hold.extend(90)).toBe(true)
    hold.release()
    expect(hold.extend(1)).toBe(false)
    till.hold('r2', { user: alice, token, quota: 100 }).release()
  })
})
