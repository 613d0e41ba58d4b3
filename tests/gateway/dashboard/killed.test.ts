import { describe, expect, it } from 'vitest'
import type { Charge } from '../../../gateway/billing/ledger.ts'
import { aTill, charge, NOW, type Till } from '../billing/till.ts'

const HOUR_S = 3600

/** The charge of a request made this many hours after `NOW`, with or without a log row. */
const used = (quota: number, user: number, hours = 0, isLogged = true): Charge => {
  const made = charge(quota, { user_id: user, model_name: 'gpt-4o', username: `user-${user}`, request_id: 'x' })
  const use = { username: `user-${user}`, model: 'gpt-4o', tookMs: 900, firstByteMs: -1 }
  return { ...made, at: NOW + hours * HOUR_S, tokens: 12, use, log: isLogged ? made.log : null }
}

/** Quota and requests by hour and user, according to the ledger and to the usage by hour. */
async function bothOf({ database, ledger }: Till) {
  await ledger.flush()
  const inBooks = await database.db.selectFrom('ledger').selectAll().where('kind', '=', 'consume').execute()
  const counted = await database.db.selectFrom('quota_data').selectAll().execute()
  const books = new Map<string, number[]>()
  for (const { created_at, user_id, amount } of inBooks) {
    const name = `${user_id} ${created_at - (created_at % HOUR_S)}`
    const [quota = 0, n = 0] = books.get(name) ?? []
    books.set(name, [quota - amount, n + 1])
  }
  const hours = new Map(
    counted.map(({ user_id, created_at, quota, count }) => [`${user_id} ${created_at}`, [quota, count]]),
  )
  return { books, hours, tokens: counted.reduce((sum, { token_used }) => sum + token_used, 0) }
}

describe('charges that a killed run left (docs/reference/dashboard.md#usage-by-hour)', () => {
  it('are in the usage by hour once, no matter what was written before the kill', async () => {
    let till = await aTill()
    const users = [await till.user(1_000_000), await till.user(1_000_000)]
    let turn = 0
    const settle = (count: number) => {
      for (let place = 0; place < count; place += 1) {
        turn += 1
        const user = users[turn % 2] ?? 0
        till.hold(`r${turn}`, { user }).settle(used(turn, user, turn % 3, turn % 5 !== 0))
      }
    }
    for (const [written, left] of [
      [30, 12],
      [0, 40],
      [7, 0],
    ] as const) {
      settle(written)
      await till.ledger.flush()
      settle(left)
      till = await aTill(till.killed())
    }
    const { books, hours, tokens } = await bothOf(till)
    expect(hours).toEqual(books)
    expect(tokens).toBe(89 * 12)
    expect(await till.wrong()).toEqual([])
  })

  it('of a request that was running, by its last checkpoint', async () => {
    const till = await aTill()
    const user = await till.user(1_000_000)
    till.hold('r1', { user }).checkpoint(used(77, user))
    const again = await aTill(till.killed())
    const { books, hours } = await bothOf(again)
    expect([...hours.values()]).toEqual([[77, 1]])
    expect(hours).toEqual(books)
  })
})
