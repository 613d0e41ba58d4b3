import { beforeAll, describe, expect, it } from 'vitest'
import { bucketOf, middleOf, percentiles } from '../../../gateway/store/log/latency-buckets.ts'
import { usageMinutes } from '../../../gateway/store/log/usage-minutes.ts'
import type { DashboardLive, DashboardSummary, HourHealth, TokenHours } from '../../../shared/api/data.ts'
import { chatAnswer } from '../../support/chat.ts'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

const HOUR_S = 3600
const options = { ModelRatio: { cheap: 1, dear: 100 } }

describe('the dashboard (docs/reference/dashboard.md#summary)', () => {
  let world: World
  let alice: Person
  let bob: Person
  const now = () => Math.floor(world.clock.now() / 1000)
  /** Query parameters for a day that started five hours ago. */
  const days = () => {
    const hour = now() - (now() % HOUR_S)
    return `today=${hour - 5 * HOUR_S}&yesterday=${hour - 29 * HOUR_S}&start_timestamp=${now() - 40 * HOUR_S}&end_timestamp=${now()}`
  }
  const ofAll = async (more = ''): Promise<DashboardSummary> =>
    dataOf(await world.admin.get(`/api/data/summary?${days()}${more}`))
  const own = async (who: Person): Promise<DashboardSummary> =>
    dataOf(await who.get(`/api/data/self/summary?${days()}`))
  const asks = async (who: Person, model: string, prompt: number) => {
    world.upstream.answers({ body: chatAnswer('hi', { prompt, completion: 1 }) })
    expect((await who.asks(model, 'hi')).status).toBe(200)
  }
  const fails = async (who: Person) => {
    world.upstream.answers({ status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } })
    expect((await who.asks('cheap', 'hi')).status).toBe(400)
  }

  beforeAll(async () => {
    // Fixed time: half past an hour.
    world = await aWorld({ options, clock: aClock(1_795_231_800_000) })
    await world.channel({ models: 'cheap,dear' })
    alice = await world.user({ quota: 1_000_000, username: 'alice' })
    bob = await world.user({ quota: 1_000_000, username: 'bob' })
    // Three requests: yesterday up to this time of day, yesterday after it, and today.
    await asks(alice, 'cheap', 99)
    world.clock.advance(10 * HOUR_S * 1000)
    await asks(alice, 'dear', 9)
    world.clock.advance(14 * HOUR_S * 1000)
    await asks(alice, 'cheap', 199)
    await asks(bob, 'dear', 49)
    await fails(bob)
  })

  it('lists the last hours by minute, of all users or of one, three hours at most', async () => {
    const range = `start_timestamp=${now() - 2 * HOUR_S}&end_timestamp=${now()}`
    const all = dataOf(await world.admin.get(`/api/data/minutes?${range}`))
    const minute = now() - (now() % 60)
    const [cheap, dear] = [
      { created_at: minute, model_name: 'cheap', count: 1, errors: 0, quota: 200, token_used: 200 },
      { created_at: minute, model_name: 'dear', count: 1, errors: 0, quota: 5000, token_used: 50 },
    ]
    const failed = { created_at: minute, model_name: 'cheap', count: 0, errors: 1, quota: 0, token_used: 0 }
    expect(all.from).toBe(minute - 2 * HOUR_S)
    expect(all.rows).toHaveLength(3)
    expect(all.rows).toEqual(expect.arrayContaining([cheap, dear, failed]))
    expect(dataOf(await world.admin.get(`/api/data/minutes?${range}&username=alice`)).rows).toEqual([cheap])
    const own = dataOf(await bob.get(`/api/data/self/minutes?${range}`)).rows
    expect(own).toHaveLength(2)
    expect(own).toEqual(expect.arrayContaining([dear, failed]))
    expect(await bob.get(`/api/data/self/minutes?start_timestamp=${now() - 4 * HOUR_S}`)).toMatchObject({
      success: false,
      message: 'The time range cannot exceed three hours',
    })
  })

  it('counts only the newest complete minutes if there are too many requests', async () => {
    const range = { from: now() - 86_400, to: now() }
    const { from, rows } = await usageMinutes(world.gateway.inner.db, range, undefined, 3)
    const minute = now() - (now() % 60)
    expect([from <= minute, from > minute - 86_400, rows.map(({ created_at }) => created_at)]).toEqual([
      true,
      true,
      [minute, minute, minute],
    ])
    expect((await usageMinutes(world.gateway.inner.db, range, undefined, 2)).rows).toEqual([])
  })

  it('lists failures and the 95th percentile of each hour, of all users or of one', async () => {
    const hour = now() - (now() % HOUR_S)
    const range = `start_timestamp=${now() - 40 * HOUR_S}&end_timestamp=${now()}`
    const all = dataOf(await world.admin.get(`/api/data/health?${range}`)) as HourHealth[]
    expect(all.map(({ created_at, count, errors }) => [created_at, count, errors])).toEqual([
      [hour - 24 * HOUR_S, 1, 0],
      [hour - 14 * HOUR_S, 1, 0],
      [hour, 2, 1],
    ])
    expect(all.every(({ p95 }) => p95 !== null && p95 >= 1)).toBe(true)
    const bobs = [{ created_at: hour, count: 1, errors: 1, p95: null }]
    expect(dataOf(await bob.get(`/api/data/self/health?${range}`))).toEqual(bobs)
    expect(dataOf(await world.admin.get(`/api/data/health?${range}&username=bob`))).toEqual(bobs)
    expect(dataOf(await world.admin.get(`/api/data/health?${range}&username=nobody`))).toEqual([])
  })

  it('takes the 95th percentile of an hour from its durations', async () => {
    const { db } = world.gateway.inner
    const at = 1_700_000_000 - (1_700_000_000 % HOUR_S)
    const rows = Array.from({ length: 100 }, (_, index) => ({
      measure: 'whole' as const,
      created_at: at,
      bucket: index,
      count: 1,
    }))
    await db.insertInto('latency_hours').values(rows).execute()
    await db
      .insertInto('usage_hours')
      .values({ kind: 'all', subject: '', created_at: at, count: 100, errors: 0, quota: 0, token_used: 0 })
      .execute()
    const [found] = dataOf(await world.admin.get(`/api/data/health?start_timestamp=${at}&end_timestamp=${at}`))
    expect(found.p95).toBe(percentiles(rows)?.p95)
    await db.deleteFrom('latency_hours').where('created_at', '=', at).execute()
    await db.deleteFrom('usage_hours').where('created_at', '=', at).execute()
  })

  it('compares today with yesterday by the same hour, for the requests of all or one’s own', async () => {
    const all = await ofAll()
    expect(all.today).toEqual({ count: 2, errors: 1, quota: 200 + 5000, token_used: 250 })
    expect(all.yesterday).toEqual({ count: 1, errors: 0, quota: 100, token_used: 100 })
    expect((await own(alice)).today).toEqual({ count: 1, errors: 0, quota: 200, token_used: 200 })
    expect((await own(bob)).today).toEqual({ count: 1, errors: 1, quota: 5000, token_used: 50 })
    expect((await own(bob)).yesterday.count).toBe(0)
    expect((await ofAll('&username=bob')).today).toEqual((await own(bob)).today)
  })

  it('ranks models, tokens and users by cost; a user sees only their own', async () => {
    const { dearest } = await ofAll()
    expect(dearest.models.map(({ name, quota }) => [name, quota])).toEqual([
      ['dear', 6000],
      ['cheap', 300],
    ])
    expect(dearest.users).toMatchObject([
      { id: bob.id, name: 'bob', quota: 5000, count: 1 },
      { id: alice.id, name: 'alice', quota: 1300, count: 3 },
    ])
    expect(dearest.tokens.map(({ name, username, quota }) => [name, username, quota])).toEqual([
      ['a token', 'bob', 5000],
      ['a token', 'alice', 1300],
    ])
    const ofAlice = (await own(alice)).dearest
    expect(ofAlice.users).toBeNull()
    expect(ofAlice.models.map(({ name, quota }) => [name, quota])).toEqual([
      ['dear', 1000],
      ['cheap', 300],
    ])
    expect(ofAlice.tokens.map(({ quota }) => quota)).toEqual([1300])
    expect(JSON.stringify(await own(alice))).not.toContain('bob')
    expect((await alice.get(`/api/data/summary?${days()}`)).success).toBe(false)
  })

  it('knows how long requests take, of all from the hours and of one from the log', async () => {
    const { latency } = await ofAll()
    expect(latency).toMatchObject({ whole: { count: 4 }, is_sample: false })
    const ofBob = (await own(bob)).latency
    expect(ofBob).toMatchObject({ whole: { count: 1 }, is_sample: false })
    expect(ofBob.whole?.p50).toBeGreaterThanOrEqual(1)
  })

  it('reports the balance and for how many days it lasts', async () => {
    const { account } = await own(bob)
    expect(account).toMatchObject({ username: 'bob', quota: 995_000, used_quota: 5000, request_count: 1 })
    // A rate is based on at least one day.
    expect(account?.days_left).toBe(199)
    expect((await ofAll()).account).toMatchObject({ username: 'root', days_left: null })
    expect((await ofAll('&username=bob')).account?.username).toBe('bob')
    const nobody = await ofAll('&username=nobody')
    expect([nobody.account, nobody.today.count]).toEqual([null, 0])
  })

  it('is cached for five seconds', async () => {
    const before = (await own(alice)).today.count
    await asks(alice, 'cheap', 5)
    expect((await own(alice)).today.count).toBe(before)
    world.clock.advance(5100)
    expect((await own(alice)).today.count).toBe(before + 1)
  })

  it('lets charts be refreshed as often as DataExportInterval sets', async () => {
    await world.option('DataExportInterval', 7)
    world.clock.advance(5100)
    expect((await ofAll()).refresh_seconds).toBe(420)
  })

  it('takes midnights that cannot be for those of UTC', async () => {
    const path = `/api/data/self/summary?today=${now() + 9999}&yesterday=5`
    const { today }: DashboardSummary = dataOf(await alice.get(path))
    const { today: again }: DashboardSummary = dataOf(
      await alice.get(
        `/api/data/self/summary?today=${now() - (now() % 86_400)}&yesterday=${now() - (now() % 86_400) - 86_400}`,
      ),
    )
    expect(today).toEqual(again)
  })

  it('reports the load of the last minute, and to administrators channels that are off or cool down', async () => {
    world.clock.advance(120_000)
    await asks(alice, 'cheap', 5)
    await fails(bob)
    const live: DashboardLive = dataOf(await world.admin.get('/api/data/live'))
    expect(live).toMatchObject({ requests: 2, errors: 1, token_used: 6, running: 0 })
    expect(live.channels).toEqual({ total: 1, enabled: 1, troubled: 0, first: [] })
    const ofAlice: DashboardLive = dataOf(await alice.get('/api/data/self/live'))
    expect(ofAlice).toEqual({ requests: 1, errors: 0, token_used: 6, running: null, channels: null })
    expect((await alice.get('/api/data/live')).success).toBe(false)
    expect(dataOf(await world.admin.get('/api/data/live?username=bob'))).toMatchObject({ requests: 1, errors: 1 })
  })

  it('lists channels disabled by the system before those disabled by an administrator, with the reason', async () => {
    const byHand = await world.channel({ name: 'By hand' })
    const bySystem = await world.channel({ name: 'By system' })
    const failing = await world.channel({ name: 'Failing', models: 'broken', priority: 9 })
    for (const id of [byHand, bySystem]) await world.admin.put('/api/channel', { id, status: 2 })
    const other_info = JSON.stringify({ status_reason: 'the key is gone', status_time: 1 })
    await world.gateway.inner.db
      .updateTable('channels')
      .set({ status: 3, other_info })
      .where('id', '=', bySystem)
      .execute()
    await world.gateway.inner.registry.reload([bySystem])
    world.upstream.answers({
      status: 429,
      headers: { 'retry-after': '300' },
      body: { error: { message: 'slow down' } },
    })
    await world.option('ModelRatio', { ...options.ModelRatio, broken: 1 })
    await alice.asks('broken', 'hi')
    world.upstream.reset()
    const { channels }: DashboardLive = dataOf(await world.admin.get('/api/data/live'))
    expect(channels).toMatchObject({ total: 4, enabled: 2, troubled: 3 })
    expect(channels?.first).toMatchObject([
      { id: bySystem, name: 'By system', state: 'auto_disabled', reason: 'the key is gone', seconds: 0 },
      { id: failing, name: 'Failing', state: 'limited' },
      { id: byHand, name: 'By hand', state: 'disabled', reason: '' },
    ])
    expect(channels?.first[1]?.seconds).toBeGreaterThan(200)
  })

  it('gives the hours of one’s own tokens, and nothing of others’', async () => {
    const ids = async (who: Person): Promise<number[]> =>
      dataOf(await who.get('/api/token/?p=0&size=10')).map(({ id }: { id: number }) => id)
    const [ofAlice, ofBob] = [await ids(alice), await ids(bob)]
    const asked = await bob.post('/api/data/self/tokens', { ids: [...ofAlice, ...ofBob] })
    const hours: TokenHours = dataOf(asked)
    expect(hours.map(({ token_id }) => token_id)).toEqual(ofBob)
    expect(hours[0]?.counts).toHaveLength(24)
    expect(hours[0]?.counts.at(-1)).toBe(3)
    expect(hours[0]?.quota).toBe(5000)
    expect((await bob.post('/api/data/self/tokens', { ids: [] })).success).toBe(false)
  })
})

describe('latency in buckets', () => {
  it('is within 5 % of the measured values', () => {
    for (let ms = 1; ms < 4_000_000; ms = Math.ceil(ms * 1.03)) {
      const error = Math.abs(middleOf(bucketOf(ms)) - ms)
      expect(error, String(ms)).toBeLessThanOrEqual(Math.max(1, ms * 0.05))
    }
  })

  it('has the percentiles of the requests in it, by rank', () => {
    const buckets = Array.from({ length: 100 }, (_, place) => ({ bucket: bucketOf(100 * (place + 1)), count: 1 }))
    const found = percentiles(buckets.reverse())
    expect(found?.count).toBe(100)
    for (const [name, exact] of [
      ['p50', 5000],
      ['p95', 9500],
      ['p99', 9900],
    ] as const)
      expect(Math.abs((found?.[name] ?? 0) - exact)).toBeLessThan(exact * 0.05)
    expect(percentiles([])).toBeUndefined()
  })
})
