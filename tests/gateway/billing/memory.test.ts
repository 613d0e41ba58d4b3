import { describe, expect, it } from 'vitest'
import { aTill, charge, type Till } from './till.ts'

/** Expects that exactly `max` can be reserved for `user`: a hold of that amount succeeds, one more unit does not. */
const expectToSpend = (till: Till, user: number, max: number, token = 0) => {
  expect(() => till.hold('more', { user, token, quota: max + 1 })).toThrow()
  till.hold('all', { user, token, quota: max }).release()
}

describe('balances in memory equal those of the database (docs/reference/reliability.md#money-invariants)', () => {
  it('after a start that wrote the data left by a killed run', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const token = await till.token(alice, 800)
    till.hold('one', { user: alice, token }).settle(charge(150))
    till.hold('two', { user: alice, token }).checkpoint(charge(50))
    const again = await aTill(till.killed())
    expect(await again.userRow(alice)).toMatchObject({ quota: 800 })
    expectToSpend(again, alice, 800)
    expectToSpend(again, alice, 600, token)
  })

  it('after a second request came under the name of one that was charged', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const token = await till.token(alice, 800)
    const settle = (quota: number) => till.hold('same', { user: alice, token }).settle(charge(quota))
    settle(100)
    await till.ledger.flush()
    settle(70)
    await till.ledger.flush()
    settle(30)
    till.hold('other', { user: alice, token }).settle(charge(5))
    expect(await till.wrong()).toEqual([])
    expect(await till.userRow(alice)).toEqual({ quota: 895, used_quota: 105, request_count: 2 })
    expectToSpend(till, alice, 895)
    expectToSpend(till, alice, 695, token)
  })
})

describe('two charges under one name', () => {
  it('are one, the first, also when both are still in the journal of a killed run', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    till.hold('same', { user: alice }).settle(charge(100))
    till.hold('same', { user: alice }).settle(charge(70))
    const again = await aTill(till.killed())
    expect(await again.userRow(alice)).toEqual({ quota: 900, used_quota: 100, request_count: 1 })
    expect(await again.wrong()).toEqual([])
    expectToSpend(again, alice, 900)
  })
})
