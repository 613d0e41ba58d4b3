import { describe, expect, it } from 'vitest'
import { chatAnswer } from '../../support/chat.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type Person } from '../../support/world.ts'
import { aReceiver, isTold } from './receiver.ts'

/** The cost of a short prompt: one unit per token. */
const COST = 40
/** A budget too small for any prompt. */
const SHORT = 25

/** A user with a token that has these budgets, and the receiver of notifications about it. */
async function aBudget(budgets: object) {
  const world = await aWorld({
    clock: aClock(Date.parse('2026-11-21T10:00:10Z')),
    config: { FETCH_ALLOWED_ADDRESSES: '127.0.0.1' },
    options: {
      ...{ ServerAddress: 'https://yard.example', SystemName: 'Yard', ModelRatio: { m: 1 } },
      ...{ CompletionRatio: { m: 1 }, RetryTimes: 0, QuotaRemindThreshold: 1 },
    },
  })
  await world.channel({ models: 'm' })
  world.upstream.answers({ body: chatAnswer('ab', { prompt: 30, completion: COST - 30 }) })
  const hook = await aReceiver()
  const person = await world.user({ quota: 1_000_000 })
  await isTold(person, { notify_type: 'webhook', webhook_url: hook.url, quota_warning_threshold: 1 })
  const { id, key } = await world.token(person, { name: 'night job', budgets })
  const asks = async () => (await person.asks('m', 'hi', { key })).status
  return { world, hook, person, id, asks }
}

describe('the end of a budget (docs/reference/accounts.md#notices)', () => {
  it('is reported once per window, when no request fits into it any more, and again in the next', async () => {
    const { world, hook, id, asks } = await aBudget({ day: 2 * COST + SHORT })
    expect([await asks(), await asks()]).toEqual([200, 200])
    expect(hook.received, 'there is something left').toEqual([])
    expect([await asks(), await asks()]).toEqual([429, 429])
    await hook.has(1)
    const [{ json }] = hook.received as [(typeof hook.received)[0]]
    expect(json).toMatchObject({
      type: `budget_reached_${id}_day`,
      title: 'A budget of one of your tokens is used up / 您的一个令牌的预算已用完',
      values: ['night job', 'day', '$0.000210', '2026-11-22 00:00 UTC'],
    })
    expect(json.content).toContain(
      'The daily budget of $0.000210 of token night job at Yard is used up. Its requests are refused until 2026-11-22 00:00 UTC. Change it at https://yard.example/token',
    )
    expect(json.content).toContain('每天预算 $0.000210 已用完')
    world.clock.advance(24 * 3_600_000)
    expect([await asks(), await asks(), await asks()]).toEqual([200, 200, 429])
    await hook.has(2)
    expect(hook.received).toHaveLength(2)
  })

  it('is reported with the charge that uses it up, for each budget that ends with it', async () => {
    const { hook, asks } = await aBudget({ day: COST, month: COST, week: 10 * COST })
    expect(await asks()).toBe(200)
    await hook.has(2)
    expect(hook.received.map(({ json }) => json.values[1]).sort()).toEqual(['day', 'month'])
  })

  it('reaches an account and an address twenty times in an hour at most, for all budgets and all accounts with that address', async () => {
    const { world, hook, person } = await aBudget({})
    const uses = async (owner: Person, tokens: number) => {
      for (let made = 0; made < tokens; made += 1) {
        const { key } = await world.token(owner, { budgets: { day: COST, week: COST } })
        await owner.asks('m', 'hi', { key })
      }
    }
    /** Waits until so many budgets of the account were reported or refused, which happens after their responses. */
    const counted = (budgets: number) => {
      const rows = world.gateway.inner.db.selectFrom('notices').select('type').where('user_id', '=', person.id)
      return expect.poll(async () => (await rows.where('type', '<>', 'all').execute()).length).toBe(budgets)
    }
    const other = await world.user({ quota: 1_000_000 })
    await isTold(other, { notify_type: 'webhook', webhook_url: hook.url, quota_warning_threshold: 1 })
    await uses(other, 2)
    await hook.has(4)
    await uses(person, 10)
    await hook.has(20)
    await counted(20)
    await isTold(person, { webhook_url: `${hook.url}/another` })
    await uses(person, 1)
    await counted(22)
    world.clock.advance(3_600_000)
    await uses(person, 1)
    await hook.has(22)
    expect(hook.received.map(({ path }) => path)).toEqual([...Array(20).fill('/'), '/another', '/another'])
  })

  it('is not reported for a minute, nor for a request that would never fit', async () => {
    const { world, hook, asks } = await aBudget({ minute: COST, day: 10 * COST })
    expect([await asks(), await asks()]).toEqual([200, 429])
    const small = await aBudget({ day: SHORT })
    expect(await small.asks()).toBe(403)
    await world.gateway.inner.ledger.flush()
    expect([...hook.received, ...small.hook.received]).toEqual([])
  })
})
