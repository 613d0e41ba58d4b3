import { afterEach, describe, expect, it, vi } from 'vitest'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { runOver, runsOf, until } from './run-watch.ts'

describe('channel jobs that run without a request', () => {
  afterEach(() => vi.useRealTimers())

  const statusOf = async (id: number) => dataOf(await world.admin.get(`/api/channel/${id}`)).status
  const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)
  let world: World
  const aQuietWorld = async (config: Record<string, string> = {}) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    world = await aWorld({ config })
  }

  it('is tested every CHANNEL_TEST_FREQUENCY minutes, in the name of root', async () => {
    await aQuietWorld({ CHANNEL_TEST_FREQUENCY: '2' })
    const id = await world.channel()
    await minutes(1)
    expect(await runsOf(world)).toEqual([])
    await minutes(1)
    await until(async () => (await runsOf(world)).length === 1)
    expect(await runOver(world, 'test')).toMatchObject({ state: 'done', items: [{ channel_id: id, ok: true }] })
    const { db, ledger } = world.gateway.inner
    await ledger.flush()
    const row = await db.selectFrom('logs').selectAll().where('token_name', '=', 'model test').executeTakeFirst()
    expect(row).toMatchObject({ username: 'root', quota: 0, channel_id: id })
  })

  it('updates balances every CHANNEL_UPDATE_FREQUENCY minutes', async () => {
    await aQuietWorld({ CHANNEL_UPDATE_FREQUENCY: '1' })
    world.upstream.answers({ body: { data: { total_credits: 2, total_usage: 0 } } })
    await world.channel({ type: 20 })
    await minutes(1)
    await until(async () => (await runsOf(world)).length === 1)
    expect(await runOver(world, 'balance')).toMatchObject({ state: 'done', items: [{ balance: 2 }] })
  })

  it('tests by default only channels that the system has switched off', async () => {
    await aQuietWorld()
    const [on, off] = [await world.channel(), await world.channel()]
    const { db, registry } = world.gateway.inner
    await db.updateTable('channels').set({ status: 3 }).where('id', '=', off).execute()
    await registry.reload()
    await minutes(5)
    expect(world.upstream.requests).toEqual([])
    await world.option('AutomaticEnableChannelEnabled', true)
    await minutes(5)
    await until(async () => (await statusOf(off)) === 1)
    expect(world.upstream.requests).toHaveLength(1)
    expect([await statusOf(on), await runsOf(world)]).toEqual([1, []])
  })

  it('stops with the gateway, in the middle of a run', async () => {
    await aQuietWorld({ CHANNEL_TEST_FREQUENCY: '1' })
    world.upstream.answers({ hang: true })
    for (let n = 0; n < 6; n += 1) await world.channel()
    await minutes(1)
    await until(() => world.upstream.requests.length === 4)
    await world.gateway.stop()
    expect(world.upstream.requests).toHaveLength(4)
  })
})
