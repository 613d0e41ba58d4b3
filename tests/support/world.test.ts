import { describe, expect, it } from 'vitest'
import { dataOf } from './client.ts'
import { aWorld } from './world.ts'

describe('a world', () => {
  it('has a gateway that relays to the fake upstream and charges for it', async () => {
    const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 }, CompletionRatio: { 'gpt-4o': 2 } } })
    await world.channel({ models: 'gpt-4o' })
    const alice = await world.user({ quota: 1_000_000 })

    const whole = await alice.asks('gpt-4o', 'hello')
    const stream = await alice.asks('gpt-4o', 'hello', { stream: true })

    expect([whole.status, whole.content]).toEqual([200, 'Hello there'])
    expect([stream.status, stream.content]).toEqual([200, 'Hello there'])
    expect(world.upstream.requests).toHaveLength(2)
    expect(await alice.quota()).toBe(1_000_000 - 2 * (10 + 5 * 2))
  })

  it('is the same after a restart', async () => {
    const world = await aWorld({ options: { SystemName: 'Mine' } })
    const before = await world.user({ username: 'alice', quota: 5 })
    const again = await world.restart()
    const users = again.gateway.inner.db.selectFrom('users').select(['username', 'quota']).orderBy('id')
    expect(await users.execute()).toMatchObject([{ username: 'root' }, { username: before.username, quota: 5 }])
    expect(dataOf(await again.visitor.get('/api/status')).system_name).toBe('Mine')
  })

  it('has a clock that a test moves', async () => {
    const world = await aWorld()
    const before = await world.token(world.admin)
    world.clock.advanceSeconds(3600)
    const after = await world.token(world.admin)
    expect(after.created_time - before.created_time).toBeGreaterThanOrEqual(3600)
  })
})
