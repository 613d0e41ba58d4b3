import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../gateway/base/errors.ts'
import { aTill, charge, logRow, type Till } from './till.ts'

const grant = (userId: number, amount: number, refId: string) =>
  ({ kind: 'admin', userId, amount, refType: 'test', refId }) as const

describe('a movement (docs/reference/performance.md#the-ledger)', () => {
  it('changes the balance, the ledger and the log together', async () => {
    const till = await aTill()
    const alice = await till.user(100)
    await till.ledger.move({ ...grant(alice, 50, 'a'), log: logRow({ type: 3, user_id: alice }) })
    await till.ledger.move(grant(alice, -30, 'b'))
    expect(await till.userRow(alice)).toEqual({ quota: 120, used_quota: 0, request_count: 0 })
    expect((await till.ledgerRows()).map(({ balance_after }) => balance_after)).toEqual([100, 150, 120])
    expect(await till.logRows()).toHaveLength(1)
    expect(await till.wrong()).toEqual([])
    till.hold('r1', { user: alice, quota: 120 })
  })

  it('never counts the same reference twice, not even at once', async () => {
    const till = await aTill()
    const alice = await till.user(100)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => till.ledger.move({ ...grant(alice, 50, 'code-1'), kind: 'redeem' })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await till.userRow(alice)).toMatchObject({ quota: 150 })
    await till.ledger.move({ ...grant(alice, 50, 'code-1'), kind: 'topup' })
    expect(await till.userRow(alice)).toMatchObject({ quota: 200 })
    expect(() => till.hold('r1', { user: alice, quota: 201 })).toThrow()
    till.hold('r2', { user: alice, quota: 200 })
    expect(await till.wrong()).toEqual([])
  })

  it('runs its further writes in the same transaction, and is undone with them', async () => {
    const till = await aTill()
    const alice = await till.user(100)
    const rename = (username: string, fails: boolean) =>
      till.ledger.move({
        ...grant(alice, 10, username),
        async together(transaction) {
          await transaction.updateTable('users').set({ username }).where('id', '=', alice).execute()
          if (fails) throw new Error('no')
        },
      })
    await expect(rename('never', true)).rejects.toThrow('no')
    await rename('renamed', false)
    const { username } = await till.database.db.selectFrom('users').select('username').executeTakeFirstOrThrow()
    expect(username).toBe('renamed')
    expect(await till.userRow(alice)).toMatchObject({ quota: 110 })
    till.hold('r1', { user: alice, quota: 110 })
    expect(() => till.hold('r2', { user: alice, quota: 1 })).toThrow()
  })

  it('pays a user that it makes itself', async () => {
    const till = await aTill()
    await till.ledger.move({
      ...grant(1, 70, 'root'),
      async together(transaction) {
        await transaction.insertInto('users').values({ id: 1, username: 'root', created_at: 0 }).execute()
      },
    })
    till.hold('r1', { user: 1, quota: 70 })
    expect(() => till.hold('r2', { user: 1, quota: 1 })).toThrow()
    await expect(till.ledger.move(grant(2, 70, 'nobody'))).rejects.toMatchObject({ key: 'user.not_found' })
  })

  it('includes what was settled just before, and leaves the chain of balances unbroken', async () => {
    const till = await aTill()
    const alice = await till.user(10_000)
    const moves = Array.from({ length: 30 }, async (_, index) => {
      till.hold(`r${index}`, { user: alice }).settle(charge(7))
      await till.ledger.move(grant(alice, 5, `m${index}`))
      till.hold(`s${index}`, { user: alice }).settle(charge(3))
    })
    await Promise.all(moves)
    expect(await till.wrong()).toEqual([])
    expectChain(await till.ledgerRows())
    expect(await till.userRow(alice)).toMatchObject({ quota: 10_000 - 30 * 5, request_count: 60 })
  })
})

describe('charges that wait for a movement to end', () => {
  it('follow it in the chain of balances', async () => {
    const till = await aTill()
    const alice = await till.user(10_000)
    for (let turn = 0; turn < 5; turn += 1) {
      const moving = till.ledger.move({ ...grant(alice, 500, `m${turn}`), together: () => sleep(10) })
      await sleep(2)
      till.hold(`r${turn}`, { user: alice }).settle(charge(7))
      await Promise.all([till.ledger.flush(), moving, till.ledger.flush()])
    }
    expectChain(await till.ledgerRows())
    expect(await till.wrong()).toEqual([])
    expect(() => till.hold('all', { user: alice, quota: 10_000 + 5 * 493 + 1 })).toThrow()
    till.hold('all', { user: alice, quota: 10_000 + 5 * 493 })
  })
})

describe('a change of a token’s limit', () => {
  it('adds to the remaining limit, together with its further writes', async () => {
    const till = await aTill()
    const alice = await till.user(10_000)
    const token = await till.token(alice, 100)
    till.hold('r1', { user: alice, token, quota: 60 }).settle(charge(60))
    await till.ledger.changeToken({
      tokenId: token,
      delta: 500,
      together: async (transaction) => {
        await transaction.updateTable('tokens').set({ name: 'more' }).where('id', '=', token).execute()
      },
    })
    till.hold('r2', { user: alice, token, quota: 540 })
    expect(() => till.hold('r3', { user: alice, token, quota: 1 })).toThrow()
    await till.ledger.flush()
    expect(await till.tokenRow(token)).toEqual({ remain_quota: 540, used_quota: 60 })
  })

  it('takes from the remaining limit exactly the charges settled while the token was limited', async () => {
    const till = await aTill()
    const alice = await till.user(10_000)
    const token = await till.token(alice)
    till.hold('free', { user: alice, token }).settle(charge(40))
    const limited = till.ledger.changeToken({ tokenId: token, delta: 100, unlimited: false })
    await limited
    till.hold('r1', { user: alice, token, quota: 100 }).release()
    await till.ledger.flush()
    expect(await till.tokenRow(token)).toEqual({ remain_quota: 100, used_quota: 40 })
    till.hold('r2', { user: alice, token, quota: 30 }).settle(charge(30))
    await till.ledger.changeToken({ tokenId: token, delta: 0, unlimited: true })
    await till.ledger.flush()
    expect(await till.tokenRow(token)).toEqual({ remain_quota: 70, used_quota: 70 })
    expect(await till.wrong()).toEqual([])
  })
})

describe('movements and charges in any order', () => {
  // Slow, because a lost movement shows only in many random orders.
  it('leave every balance equal to the sum of its rows, ten thousand times', async () => {
    const till = await aTill()
    const users = await Promise.all([1, 2, 3].map(() => till.user(20_000)))
    const tokens = await Promise.all(users.map((user) => till.token(user, 15_000)))
    const channel = await till.channel()
    let turn = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1000, maxLength: 1000, size: 'max' }), async (steps) => {
        const pending: Promise<unknown>[] = []
        for (const { who, what, amount } of steps) {
          turn += 1
          pending.push(act(till, { what, amount, user: users[who] ?? 0, token: tokens[who] ?? 0, channel, turn }))
          if (what === 'pause') await Promise.allSettled(pending.splice(0))
        }
        await Promise.all(pending)
        expect(await till.wrong()).toEqual([])
        expectChain(await till.ledgerRows())
        for (const [index, user] of users.entries()) {
          const { quota } = await till.userRow(user)
          const token = tokens[index] ?? 0
          const max = Math.min(quota, (await till.tokenRow(token)).remain_quota)
          expect(refusedAsNull(() => till.hold('beyond', { user, token, quota: Math.max(max, 0) + 1 }))).toBeNull()
          if (max > 0) till.hold('all', { user, token, quota: max }).release()
        }
      }),
      { numRuns: 10, seed: 20_261_121, endOnFailure: true },
    )
  })
})

const step = fc.record({
  who: fc.nat(2),
  what: fc.constantFrom('settle', 'settle', 'settle', 'release', 'checkpoint', 'move', 'limit', 'note', 'pause'),
  amount: fc.nat(300),
})

type Act = Readonly<{ what: string; amount: number; user: number; token: number; channel: number; turn: number }>

async function act(till: Till, { what, amount, user, token, channel, turn }: Act): Promise<void> {
  if (what === 'move') return till.ledger.move(grant(user, amount - 100, `turn${turn}`))
  if (what === 'limit') return till.ledger.changeToken({ tokenId: token, delta: amount - 100 })
  if (what === 'note') return till.ledger.auditLog.record(logRow({ type: 4 }))
  if (what === 'pause') return
  const hold = refusedAsNull(() => till.hold(`t${turn}`, { user, token: turn % 3 === 0 ? 0 : token, quota: 300 }))
  if (!hold) return
  if (what === 'checkpoint') hold.checkpoint(charge(amount, {}, channel))
  if (turn % 2 === 0) await Promise.resolve()
  if (what === 'settle') hold.settle(charge(amount, {}, channel))
  else hold.release()
}

function refusedAsNull<T>(ask: () => T): T | null {
  try {
    return ask()
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'exhausted') return null
    throw error
  }
}

/** Expects each user's rows, in order of id, to add up to the balances that they state. */
function expectChain(rows: Awaited<ReturnType<Till['ledgerRows']>>): void {
  const balances = new Map<number, number>()
  const broken = rows.filter(({ user_id, amount, balance_after }) => {
    const balance = (balances.get(user_id) ?? 0) + amount
    balances.set(user_id, balance)
    return balance !== balance_after
  })
  expect(broken.slice(0, 3)).toEqual([])
}
