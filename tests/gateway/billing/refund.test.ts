import { describe, expect, it } from 'vitest'
import { aTill, charge, logRow, NOW, type Till } from './till.ts'

const always = async () => true

const refund = (till: Till, requestId: string, together = always) =>
  till.ledger.refund({
    requestId,
    orderedAt: NOW,
    together,
    log: (quota) => logRow({ type: 4, content: `back ${quota}` }),
  })

describe('a refund (docs/reference/tasks.md#refunds)', () => {
  it('returns the charge of the request: balance, used quota and the limit of the token, not its count', async () => {
    const till = await aTill()
    const [alice, channel] = [await till.user(1000), await till.channel()]
    const token = await till.token(alice, 300)
    till.hold('r1', { user: alice, token }).settle(charge(70, {}, channel))
    till.hold('r2', { user: alice, token }).settle(charge(30, {}, channel))
    expect(await refund(till, 'r1')).toBe(70)
    expect(await till.userRow(alice)).toEqual({ quota: 970, used_quota: 30, request_count: 2 })
    expect(await till.tokenRow(token)).toMatchObject({ remain_quota: 270, used_quota: 30 })
    expect(await till.database.db.selectFrom('channels').select('used_quota').executeTakeFirst()).toEqual({
      used_quota: 30,
    })
    expect((await till.logRows()).map(({ type }) => type)).toEqual([2, 2, 4])
    const last = (await till.ledgerRows()).at(-1)
    expect(last).toMatchObject({ kind: 'refund', amount: 70, ref_id: 'r1', balance_after: 970 })
    expect(await till.wrong()).toEqual([])
    // The balance in memory agrees: exactly 270 can be reserved.
    till.hold('r3', { user: alice, token, quota: 270 }).release()
    expect(() => till.hold('r4', { user: alice, token, quota: 271 })).toThrow()
    expect(() => till.hold('r5', { user: alice, quota: 971 })).toThrow()
    till.checks.begin('all', { kind: 'user' })
    await till.checks.idle()
    expect(till.said.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('happens once, however many come at once, and a refund that finds nothing to do gives nothing', async () => {
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

  it('is the account’s, however high or low the owner of the token has set its limit', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    const token = await till.token(alice, 300)
    const set = (remain_quota: number) =>
      till.database.db.updateTable('tokens').set({ remain_quota }).where('id', '=', token).execute()
    const low = till.hold('r1', { user: alice, token })
    await set(-1_000_000_000_000)
    low.settle(charge(70))
    await till.ledger.flush()
    expect(await till.userRow(alice)).toMatchObject({ quota: 930, used_quota: 70 })
    expect(await till.tokenRow(token)).toEqual({ remain_quota: -1_000_000_000_000, used_quota: 70 })
    await set(1_000_000_000_000_000)
    expect(await refund(till, 'r1')).toBe(70)
    expect(await till.userRow(alice)).toMatchObject({ quota: 1000, used_quota: 0 })
    expect(await till.tokenRow(token)).toEqual({ remain_quota: 1_000_000_000_000_000, used_quota: 0 })
    expect(await till.wrong()).toEqual([])
    expect(till.said.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('is counted once where its account is read while it is written', async () => {
    const till = await aTill()
    const people = []
    for (let n = 0; n < 60; n += 1) {
      const user = await till.user(1000)
      const token = await till.token(user, 500)
      till.hold(`r${n}`, { user, token }).settle(charge(70))
      people.push({ user, token })
    }
    await till.ledger.flush()
    for (const { user, token } of people) till.ledger.forget({ userId: user, tokenId: token })
    for (const [n, { user, token }] of people.entries()) {
      const back = refund(till, `r${n}`)
      let isOver = false
      void back.then(() => {
        isOver = true
      })
      // Looks at a moment that varies slightly from account to account.
      for (let turn = 0; turn < 70 + n && !isOver; turn += 1) await undefined
      till.hold('look', { user, token, quota: 1 }).release()
      await back
      expect(() => till.hold('more', { user, quota: 1001 }), `${n}`).toThrow()
      expect(() => till.hold('more', { user, token, quota: 501 }), `${n}`).toThrow()
      till.hold('all', { user, token, quota: 500 }).release()
    }
  })

  it('is undone with its further writes, and survives a restart', async () => {
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

const HOUR = NOW - (NOW % 3600)
const use = { username: 'alice', model: 'mj_imagine', tookMs: 5, firstByteMs: -1 }
const drawn = (quota: number) => ({
  ...charge(quota, { username: 'alice', model_name: 'mj_imagine' }),
  use,
  tokens: 9,
  isRefundable: true,
})

/** The hourly usage: quota and count of each row of `quota_data`, and of each kind in `usage_hours`. */
async function hoursOf({ database: { db }, ledger }: Till) {
  await ledger.flush()
  const named = await db.selectFrom('quota_data').selectAll().orderBy('created_at').orderBy('model_name').execute()
  const kinds = await db.selectFrom('usage_hours').selectAll().orderBy('created_at').orderBy('kind').execute()
  return {
    named: named.map(({ username, model_name, created_at, quota, count }) => [
      username,
      model_name,
      created_at,
      quota,
      count,
    ]),
    kinds: kinds.map(({ kind, subject, quota, count, token_used }) => [kind, subject, quota, count, token_used]),
  }
}

describe('the hours a refund is taken from (docs/reference/dashboard.md#refunds)', () => {
  it('are those the charge was counted in: quota goes, calls and tokens stay, whenever it is given back', async () => {
    const till = await aTill()
    const [alice, bob] = [await till.user(1000), await till.user(1000)]
    const token = await till.token(alice)
    till.hold('r1', { user: alice, token }).settle(drawn(70))
    till.hold('r2', { user: alice, token }).settle({ ...drawn(30), at: NOW - 7200 })
    till.hold('r3', { user: bob }).settle({ ...drawn(11), use: { ...use, username: 'bob' } })
    till.clock.advanceSeconds(5 * 3600)
    expect(await refund(till, 'r1')).toBe(70)
    const before = HOUR - 7200
    const { named, kinds } = await hoursOf(till)
    expect(named).toEqual([
      ['alice', 'mj_imagine', before, 30, 1],
      ['alice', 'mj_imagine', HOUR, 0, 1],
      ['bob', 'mj_imagine', HOUR, 11, 1],
    ])
    const of =
      (quota: number) =>
      (kind: string, subject: string | number, more = 0, n = 1) => [kind, `${subject}`, quota + more, n, 9 * n]
    expect(kinds).toEqual([
      ...[of(30)('all', ''), of(30)('model', 'mj_imagine'), of(30)('token', token), of(30)('user', alice)],
      ...[of(0)('all', '', 11, 2), of(0)('model', 'mj_imagine', 11, 2), of(0)('token', token)],
      ...[of(0)('user', alice), of(11)('user', bob)],
    ])
  })

  it('are those of the name that the charge was counted by, over a restart and without a log', async () => {
    const till = await aTill()
    const alice = await till.user(1000)
    till.hold('r1', { user: alice }).settle({ ...drawn(70), log: null })
    // A kill before the hours were written: charges in the journal are still counted, and can be refunded.
    const next = await aTill(till.killed())
    expect((await hoursOf(next)).named).toEqual([['alice', 'mj_imagine', HOUR, 70, 1]])
    await next.database.db.updateTable('users').set({ username: 'alicia' }).where('id', '=', alice).execute()
    expect(await refund(next, 'r1')).toBe(70)
    expect((await hoursOf(next)).named).toEqual([['alice', 'mj_imagine', HOUR, 0, 1]])
  })

  it('lose nothing for a charge that was not counted, and do not come back once removed', async () => {
    let isCounted = true
    const till = await aTill(undefined, { isCounted: () => isCounted })
    const alice = await till.user(1000)
    till.hold('r1', { user: alice }).settle(drawn(70))
    isCounted = false
    till.hold('r2', { user: alice }).settle(drawn(30))
    isCounted = true
    expect(await refund(till, 'r2')).toBe(30)
    expect((await hoursOf(till)).named).toEqual([['alice', 'mj_imagine', HOUR, 70, 1]])
    for (const table of ['quota_data', 'usage_hours'] as const) await till.database.db.deleteFrom(table).execute()
    expect(await refund(till, 'r1')).toBe(70)
    expect(await hoursOf(till)).toEqual({ named: [], kinds: [] })
  })

  it('are not counted after a crash either where the charge was not', async () => {
    const till = await aTill(undefined, { isCounted: () => false })
    const alice = await till.user(1000)
    till.hold('r1', { user: alice }).settle(drawn(70))
    till.hold('r2', { user: alice }).checkpoint(drawn(5))
    const next = await aTill(till.killed())
    expect(await next.userRow(alice)).toMatchObject({ used_quota: 75 })
    expect(await hoursOf(next)).toEqual({ named: [], kinds: [] })
  })
})
