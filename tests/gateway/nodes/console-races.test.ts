import { beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../support/reconcile.ts'
import { PASSWORD, type Person, type World } from '../../support/world.ts'
import { aShop, ordered, type Shop, stateOf } from '../wallet/shop.ts'

const ROUNDS = 5
const QUOTA = 1_000_000

describe('the same call on two nodes at the same moment (docs/growth.md#nodes)', () => {
  let shop: Shop
  let one: World
  let two: World
  beforeAll(async () => {
    shop = await aShop({ ModelRatio: { m: 1 }, QuotaForNewUser: 0 })
    one = shop.world
    two = await one.node()
  })

  const onBoth = <T>(work: (world: World) => Promise<T>): Promise<T[]> => Promise.all([work(one), work(two)])
  const successes = (replies: readonly Readonly<{ success: boolean; status: number }>[]) => {
    for (const { status } of replies) expect(status).toBeLessThan(500)
    return replies.filter(({ success }) => success).length
  }
  const books = async () => {
    await onBoth(({ gateway }) => gateway.inner.ledger.flush())
    return reconcile(one.gateway.inner.db)
  }
  const someone = async (quota = 0): Promise<readonly [Person, Person]> => {
    const here = await one.user({ quota })
    return [here, await two.same(here)]
  }

  it('credits a payment once, by its notices and by an administrator', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [here] = await someone()
      const form = await ordered({ ...shop, alice: here })
      const query = shop.epay.notice(form)
      const notices = onBoth(async ({ url }) => (await fetch(`${url}/api/user/epay/notify?${query}`)).text())
      const completed = two.admin.post('/api/user/topup/complete', { trade_no: form.out_trade_no })
      expect(await notices).toEqual(['success', 'success'])
      expect((await completed).status).toBeLessThan(500)
      expect(await here.quota()).toBe(QUOTA)
      expect((await stateOf(shop, form)).status).toBe('success')
    }
    expect(await books()).toEqual([])
  })

  it('moves a reward to the balance once', async () => {
    const [here, there] = await someone()
    const { db } = one.gateway.inner
    await db.updateTable('users').set({ aff_quota: QUOTA, aff_history: QUOTA }).where('id', '=', here.id).execute()
    const replies = await Promise.all(
      [here, there].map((person) => person.post('/api/user/aff_transfer', { quota: QUOTA })),
    )
    expect(successes(replies)).toBe(1)
    expect(await here.quota()).toBe(QUOTA)
    expect(await books()).toEqual([])
  })

  it('adds and removes quota once per call, and once per idempotency key', async () => {
    const [here] = await someone(1000)
    const add = (amount: number) => (world: World) => world.admin.put('/api/user/batch', { ids: [here.id], amount })
    for (let round = 0; round < ROUNDS; round += 1) expect(successes(await onBoth(add(100)))).toBe(2)
    expect(await here.quota()).toBe(1000 + 2 * ROUNDS * 100)
    expect(successes(await onBoth(add(-100)))).toBe(2)
    expect(await here.quota()).toBe(1000 + 2 * ROUNDS * 100 - 200)
    const keyed = (world: World) =>
      world.admin.put('/api/user', { id: here.id, quota: 500, quota_base: 0, idempotency_key: 'one-click' })
    expect(successes(await onBoth(keyed))).toBe(2)
    expect(await here.quota()).toBe(1000 + 2 * ROUNDS * 100 + 300)
    expect(await books()).toEqual([])
  })

  it('registers a name once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const username = `twin${round}`
      expect(
        successes(await onBoth(({ visitor }) => visitor.post('/api/user/register', { username, password: PASSWORD }))),
      ).toBe(1)
    }
  })

  it('leaves one value of an option, which both nodes know', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const values = [`first ${round}`, `second ${round}`] as const
      await Promise.all([one.option('Notice', values[0]), two.option('Notice', values[1])])
      const noticeOf = ({ gateway }: World) => gateway.inner.settings.get('Notice')
      await expect.poll(() => noticeOf(one) === noticeOf(two)).toBe(true)
      expect(values).toContain(noticeOf(one))
    }
  })

  it('leaves an account whose key is made, spent and removed on different nodes with right books', async () => {
    await one.channel({ models: 'm' })
    const [here, there] = await someone(QUOTA)
    await expect.poll(async () => (await there.asks('m', 'hi')).status).toBe(200)
    const { id, key } = await one.token(here, { unlimited_quota: false, remain_quota: 500 })
    const calls = Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? here : there).asks('m', 'hi', { key })))
    const deleted = there.delete(`/api/token/${id}`)
    for (const { status } of await calls) expect([200, 401, 403]).toContain(status)
    expect((await deleted).success).toBe(true)
    await expect.poll(async () => (await here.asks('m', 'hi', { key })).status).toBe(401)
    expect(await books()).toEqual([])
  })

  it('deletes an account once, while it is charged', async () => {
    const [here, there] = await someone(QUOTA)
    await Promise.all([here.key(), there.key()])
    const calls = Promise.all(Array.from({ length: 10 }, (_, at) => (at % 2 ? here : there).asks('m', 'hi')))
    const replies = await onBoth(({ admin }) => admin.delete(`/api/user/${here.id}`))
    await calls
    expect(successes(replies)).toBeGreaterThanOrEqual(1)
    expect(await books()).toEqual([])
  })
})
