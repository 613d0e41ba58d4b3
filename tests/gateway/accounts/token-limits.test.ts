import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_QUOTA } from '../../../shared/api/fields.ts'
import { dataOf } from '../../support/client.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

let world: World
let alice: Person
beforeAll(async () => {
  world = await aWorld()
  alice = await world.user()
})

const none = {
  requests_per_minute: 0,
  tokens_per_minute: 0,
  budgets: { minute: 0, five_hours: 0, day: 0, week: 0, month: 0 },
  budget_time_zone: '',
  budget_warn_percent: 80,
  budget_use: [],
}

describe('the limits of a token', () => {
  it('are unset by default', async () => {
    expect(await world.token(alice)).toMatchObject(none)
  })

  it('change only where the request contains them, each budget separately', async () => {
    const { id } = await world.token(alice, {
      requests_per_minute: 5,
      budgets: { day: 1000, month: 20_000 },
      budget_time_zone: 'America/New_York',
    })
    const change = async (fields: object) => dataOf(await alice.put('/api/token', { id, ...fields }))
    expect(await change({ name: 'renamed' })).toMatchObject({
      requests_per_minute: 5,
      budgets: { ...none.budgets, day: 1000, month: 20_000 },
      budget_time_zone: 'America/New_York',
    })
    expect(await change({ budgets: { day: 0, week: MAX_QUOTA }, tokens_per_minute: 9 })).toMatchObject({
      requests_per_minute: 5,
      tokens_per_minute: 9,
      budgets: { ...none.budgets, week: MAX_QUOTA, month: 20_000 },
    })
    const zeros = { requests_per_minute: 0, tokens_per_minute: 0, budgets: none.budgets, budget_time_zone: '' }
    expect(await change({ ...zeros, budget_warn_percent: 0 })).toMatchObject({ ...none, budget_warn_percent: 0 })
  })

  it('are listed, searched and returned together with their usage', async () => {
    const bob = await world.user()
    const made = await world.token(bob, { name: 'frugal', budgets: { minute: 7, five_hours: 8 } })
    expect(made.budget_use).toMatchObject([
      { window: 'minute', limit: 7, used: 0, percent: 0, is_warning: false },
      { window: 'five_hours', limit: 8, used: 0, resets_at: null },
    ])
    const stable = { ...made, budget_use: expect.anything() }
    expect(dataOf(await bob.get('/api/token'))).toEqual([stable])
    expect(dataOf(await bob.get('/api/token/search?keyword=frug'))).toEqual([stable])
    expect(dataOf(await bob.get(`/api/token/search?token=${made.key.slice(5, 20)}`))).toEqual([stable])
    expect(dataOf(await bob.get(`/api/token/${made.id}`))).toEqual(stable)
  })

  it('are whole numbers below a maximum; an invalid one is rejected with its name and the reason', async () => {
    const { id } = await world.token(alice, { requests_per_minute: 3 })
    const wrong = [
      [{ requests_per_minute: -1 }, 'requests_per_minute: Enter a whole number from 0 to 1000000. 0 means no limit.'],
      [{ requests_per_minute: 1.5 }, 'requests_per_minute: Enter a whole number from 0 to 1000000'],
      [{ tokens_per_minute: 1e12 }, 'tokens_per_minute: Enter a whole number from 0 to 1000000000'],
      [{ budgets: { day: -5 } }, `budgets.day: Enter a whole number from 0 to ${MAX_QUOTA}`],
      [{ budgets: { month: MAX_QUOTA + 1 } }, `budgets.month: Enter a whole number from 0 to ${MAX_QUOTA}`],
      [{ budgets: { week: 1e300 } }, 'budgets.week: Enter a whole number'],
      [{ budget_warn_percent: 101 }, 'budget_warn_percent: Enter a whole number from 0 to 100'],
    ] as const
    for (const [fields, message] of wrong) {
      const { success, message: told } = await alice.put('/api/token', { id, ...fields })
      expect([success, told]).toEqual([false, expect.stringContaining(message)])
      expect((await alice.post('/api/token', { name: 'x', ...fields })).message).toBe(told)
    }
    expect(dataOf(await alice.get(`/api/token/${id}`)).requests_per_minute).toBe(3)
  })

  it('have a time zone of the IANA database, which knows daylight saving time', async () => {
    for (const zone of ['Mars/Olympus', '+02:00', 'Europe/Berlin; drop', 'x'.repeat(65)]) {
      const { success, message } = await alice.post('/api/token', { name: 'x', budget_time_zone: zone })
      expect([success, message], zone).toEqual([false, expect.stringContaining('budget_time_zone: ')])
    }
    for (const zone of ['UTC', 'Asia/Kolkata', 'europe/berlin'])
      expect((await world.token(alice, { budget_time_zone: zone })).budget_time_zone).toBe(zone)
  })
})
