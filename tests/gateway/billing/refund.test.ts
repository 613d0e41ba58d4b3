import { describe, expect, it } from 'vitest'
import { aTill, charge, logRow, type Till } from './till.ts'

const always = async () => true

const refund = (till: Till, requestId: string, together = always) =>
  till.ledger.refund({ requestId, together, log: (quota) => logRow({ type: 4, content: `back ${quota}` }) })

describe('a refund (docs/reference/tasks.md#refunds)', () => {
  it('takes back what the request was charged: balance, used quota and the limit of the token, not its count', async () => {
    const till = await aTill()
    const [alice, channel] = [await till.user(1000), await till.channel()]
    const token = await till.token(alice, 300)
    till.hold('r1', { user: alice, token }).settle(charge(70, {}, channel))
    till.hold('r2', { user: alice, token }).settle(charge(30, {}, channel))
    expect(await refund(till, 'r1')).toBe(70)
    expect(await till.userRow(alice)).toEqual({ quota: 970, used_quota: 30, request_count: 2 })
    expect(await till.tokenRow(token)).toMatchObject({ remain_quota: 270, used_quota: 30 })
    expect((await till.logRows()).map(({ type }) => type)).toEqual([2, 2, 4])
    const last = (await till.ledgerRows()).at(-1)
    expect(last).toMatchObject({ kind: 'refund', amount: 70, ref_id: 'r1', balance_after: 970 })
    expect(await till.wrong()).toEqual([])
    // Memory follows: as much can be set aside as there is, and no more.
    till.hold('r3', { user: alice, token, quota: 270 }).release()
    expect(() => till.hold('r4', { user: alice, token, quota: 271 })).toThrow()
    expect(() => till.hold('r5', { user: alice, quota: 971 })).toThrow()
    till.checks.begin('all', { kind: 'user' })
    await till.checks.idle()
    expect(till.said.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('happens once, however many come at once, and whoever says that there is nothing to do gives nothing', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    till.hold('r1', { user: alice }).settle(charge(70))
    expect(await refund(till, 'r1', async () => false)).toBe(0)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => refund(till, 'r1')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await till.userRow(alice)).toMatchObject({ quota: 1000, used_quota: 0 })
    expect(await till.wrong()).toEqual([])
  })

  it('gives nothing where nothing was charged, and an unlimited token no limit', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const token = await till.token(alice)
    expect(await refund(till, 'never')).toBe(0)
    till.hold('free', { user: alice, quota: 0 }).settle(charge(0))
    expect(await refund(till, 'free')).toBe(0)
    till.hold('r1', { user: alice, token }).settle(charge(70))
    expect(await refund(till, 'r1')).toBe(70)
    expect(await till.tokenRow(token)).toMatchObject({ remain_quota: 0, used_quota: 0 })
    expect((await till.ledgerRows()).filter(({ kind }) => kind === 'refund')).toHaveLength(1)
    expect(await till.wrong()).toEqual([])
  })

  it('is undone with what belongs to it, and stands over a restart', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    till.hold('r1', { user: alice }).settle(charge(70))
    const failing = async () => {
      throw new Error('no')
    }
    await expect(refund(till, 'r1', failing)).rejects.toThrow('no')
    expect(await till.userRow(alice)).toMatchObject({ quota: 930, used_quota: 70 })
    expect(await refund(till, 'r1')).toBe(70)
    const next = await aTill(till.killed())
    await expect(refund(next, 'r1')).rejects.toThrow()
    expect(await next.userRow(alice)).toMatchObject({ quota: 1000, used_quota: 0 })
    expect(await next.wrong()).toEqual([])
  })
})
