import { beforeAll, describe, expect, it } from 'vitest'
import { addAuditRows } from '../../../../gateway/store/log/audit-rows.ts'
import { dataOf } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

describe('the overview (docs/reference/api.md#overview)', () => {
  let world: World
  let alice: Person
  beforeAll(async () => {
    // Fixed time: half past an hour in the afternoon.
    world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } }, clock: aClock(1_795_231_800_000) })
    await world.channel()
    await world.channel({ name: 'Off' })
    const off = dataOf(await world.admin.get('/api/channel/?p=0&page_size=10')).find(
      ({ name }: { name: string }) => name === 'Off',
    )
    dataOf(await world.admin.put('/api/channel', { id: off.id, status: 2 }))
    await world.channel({ name: 'Unpriced', models: 'new-model' })
    alice = await world.user({ quota: 1_000_000, username: 'alice' })
  })

  const since = () => Math.floor(world.clock.now() / 1000) - 3600
  const overview = async (person: Pick<Person, 'get'>, from = since()) =>
    dataOf(await person.get(`/api/overview?since=${from}`))

  it('shows an administrator channels, prices and the requests of all, and a user only their own', async () => {
    for (let turn = 0; turn < 2; turn += 1) expect((await alice.asks('gpt-4o', 'hi')).status).toBe(200)
    world.upstream.answers({ status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } })
    expect((await alice.asks('gpt-4o', 'hi')).status).toBe(400)
    world.upstream.reset()
    const all = await overview(world.admin)
    expect(all).toMatchObject({
      scope: 'all',
      usage: { requests: 2, errors: 1, is_partial: false },
      channels: { total: 3, enabled: 2, disabled: 1, auto_disabled: 0, cooling: 0, cooling_first: [] },
      unpriced: { total: 1, first: ['new-model'] },
      has_requests: true,
    })
    const own = await overview(alice)
    expect(own).toMatchObject({ scope: 'own', channels: null, unpriced: null, tokens: 1, has_requests: true })
    expect(own.usage).toEqual(all.usage)
    expect(own.usage.quota).toBeGreaterThan(0)
    const bob = await world.user({ quota: 1_000_000, username: 'bob' })
    expect((await overview(bob)).usage).toMatchObject({ requests: 0, errors: 0, quota: 0, tokens: 0 })
  })

  it('caches its figures for ten seconds, and rejects a time too far in the past or in the future', async () => {
    const from = since()
    const before = await overview(alice, from)
    expect((await alice.asks('gpt-4o', 'hi')).status).toBe(200)
    expect((await overview(alice, from)).usage.requests).toBe(before.usage.requests)
    world.clock.advance(11_000)
    expect((await overview(alice, from)).usage.requests).toBe(before.usage.requests + 1)
    const dayBefore = () => Math.floor(world.clock.now() / 1000) - 24 * 3600
    const from24 = dayBefore()
    for (const wrong of [0, from24 - 25 * 3600, from24 + 25 * 3600]) {
      const { since: taken } = await overview(alice, wrong)
      expect(taken).toBeGreaterThanOrEqual(from24)
      expect(taken).toBeLessThanOrEqual(dayBefore())
    }
  })

  it('counts everything from a whole hour on, however long the log is, exactly as the dashboard', async () => {
    const now = Math.floor(world.clock.now() / 1000)
    const midnight = now - (now % 86_400)
    const before = (await overview(alice, midnight)).usage
    const entry = { user_id: alice.id, created_at: now, type: 2, quota: 1 }
    await addAuditRows(world.gateway.inner.db, new Array(50_500).fill(entry))
    world.clock.advance(11_000)
    expect((await overview(alice, midnight)).usage).toEqual(before)
    expect(before).toMatchObject({ requests: 3, is_partial: false })
    const { today } = dataOf(await alice.get('/api/data/self/summary'))
    expect([before.quota, before.errors, before.tokens]).toEqual([today.quota, today.errors, today.token_used])
    expect((await overview(alice, midnight + 1)).usage).toMatchObject({ requests: 50_001, is_partial: true })
  })

  it('is refused to visitors who are not signed in', async () => {
    expect((await world.visitor.get('/api/overview')).status).toBe(401)
  })
})
