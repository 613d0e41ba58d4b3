import { beforeAll, describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel({ models: 'gpt-4o' })
  alice = await world.user({ quota: 10_000_000 })
})

describe('a change of a token that the relay knows', () => {
  it('counts for the very next call', async () => {
    const { id, key } = await world.token(alice)
    const status = async () => (await alice.asks('gpt-4o', 'hello', { key })).status
    const changed = async (change: object) => dataOf(await alice.put('/api/token', { id, ...change }))
    expect(await status()).toBe(200)

    await changed({ status: 2 })
    expect(await status()).toBe(401)
    await changed({ status: 1 })
    expect(await status()).toBe(200)

    await changed({ allow_ips: '10.0.0.0/8' })
    expect(await status()).toBe(403)
    await changed({ allow_ips: '10.0.0.0/8\n127.0.0.1' })
    expect(await status()).toBe(200)

    await changed({ model_limits_enabled: true, model_limits: 'o3' })
    expect(await status()).toBe(403)
    await changed({ model_limits_enabled: false })
    expect(await status()).toBe(200)

    await changed({ unlimited_quota: false, remain_quota: 0 })
    expect([401, 403]).toContain(await status())
    await changed({ remain_quota: 1_000_000 })
    expect(await status()).toBe(200)

    dataOf(await alice.delete(`/api/token/${id}`))
    expect(await status()).toBe(401)
  })

  it('shows the cost of the call, in the token and in the log of its key', async () => {
    const { id, key } = await world.token(alice, { name: 'counted', unlimited_quota: false, remain_quota: 1_000_000 })
    expect((await alice.asks('gpt-4o', 'hello', { key })).status).toBe(200)
    const token = dataOf(await alice.get(`/api/token/${id}`))
    const [row] = dataOf(await alice.get(`/api/log/token?key=${key}`))
    expect(token.used_quota).toBeGreaterThan(0)
    expect(token.remain_quota).toBe(1_000_000 - token.used_quota)
    expect(row).toMatchObject({
      quota: token.used_quota,
      token_name: 'counted',
      model_name: 'gpt-4o',
      token_id: id,
      channel: 0,
    })
  })
})
