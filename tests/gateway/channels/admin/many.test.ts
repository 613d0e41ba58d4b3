import { beforeAll, describe, expect, it } from 'vitest'
import { addAuditRows } from '../../../../gateway/store/log/audit-rows.ts'
import type { ChannelActivity } from '../../../../shared/api/channel-many.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { aClient, dataOf } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person
beforeAll(async () => {
  // Fixed time: half past an hour.
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 2 }, clock: aClock(1_795_231_800_000) })
  alice = await world.user({ quota: 1_000_000_000 })
})

const one = async (id: number) => dataOf(await world.admin.get(`/api/channel/${id}`))
const audits = async (id: number) => {
  const { items } = dataOf(await world.admin.get(`/api/log?type=3&channel=${id}&p=1&page_size=10`))
  return items.map(({ content }: { content: string }) => content)
}

describe('several channels at once (docs/reference/channels.md#writing)', () => {
  it('are disabled, enabled and ordered together, each with a row in the log; routing follows', async () => {
    const ids = [await world.channel({ name: 'a', models: 'm1' }), await world.channel({ name: 'b', models: 'm1' })]
    const other = await world.channel({ name: 'c', models: 'm1' })
    const [a = 0] = ids
    expect(dataOf(await world.admin.put('/api/channel/batch', { ids: [...ids, a, 9999], status: 2 }))).toBe(2)
    expect([await one(a), await one(other)]).toMatchObject([{ status: 2 }, { status: 1 }])
    const told = dataOf(await world.admin.post('/api/channel/explain', { model: 'm1' }))
    expect(told.channels.map(({ channel_id }: { channel_id: number }) => channel_id)).toEqual([other])
    await world.admin.put('/api/channel/batch', { ids, status: 1, priority: 7, weight: 3 })
    expect(await one(a)).toMatchObject({ status: 1, priority: 7, weight: 3 })
    expect(await audits(a)).toEqual([
      `root changed the channel #${a} a: Enabled, Priority 7, Weight 3`,
      `root changed the channel #${a} a: Disabled`,
    ])
  })

  it('need an id, and something to write; users cannot write fields that belong to the system', async () => {
    for (const body of [{ ids: [], status: 1 }, { ids: [1] }, { ids: [1], status: 3 }])
      expect((await world.admin.put('/api/channel/batch', body)).body).toMatchObject({ success: false })
    expect((await alice.put('/api/channel/batch', { ids: [1], status: 2 })).body).toMatchObject({ success: false })
  })

  it('take a negative weight for 0, as one channel and a tag do', async () => {
    const id = await world.channel({ name: 'tagged', tag: 'eu', weight: -2 })
    const weight = async () => dataOf(await world.admin.get('/api/channel/search?keyword=tagged'))[0].weight
    expect(await weight()).toBe(0)
    const set = (path: string, body: object) => world.admin.put(path, body).then(dataOf)
    for (const [path, body] of [
      ['/api/channel', { id, weight: -1 }],
      ['/api/channel/tag', { tag: 'eu', weight: -1 }],
      ['/api/channel/batch', { ids: [id], weight: -1 }],
    ] as const) {
      await set('/api/channel', { id, weight: 5 })
      await set(path, body)
      expect(await weight(), path).toBe(0)
    }
  })
})

it('a channel without name and key, and models that are not a list, are refused in the words of the family (docs/reference/channels.md#fields)', async () => {
  const fields = { type: 1, name: 'listed', key: 'sk-one', models: ['m7', 'm8'], group: 'default' }
  const chinese = aClient(world.url, { ...world.admin.identity(), 'accept-language': 'zh' })
  const refused = async (method: string, path: string, body: object) =>
    Promise.all([chinese, world.admin].map(async (client) => (await client.send(method, path, body)).message))
  for (const lacking of [{ name: ' ' }, { key: ' ' }])
    expect(await refused('POST', '/api/channel', { ...fields, ...lacking })).toEqual([
      '请填写渠道名称和渠道密钥！',
      'Enter the channel name and key',
    ])
  for (const [method, path] of [
    ['POST', '/api/channel'],
    ['PUT', '/api/channel'],
    ['PUT', '/api/channel/tag'],
  ] as const)
    expect(await refused(method, path, { ...fields, id: 1, tag: 'eu', models: 7 })).toEqual([
      expect.stringContaining('提交失败，请勿重复提交！'),
      expect.stringContaining('The models are not a list of names'),
    ])
  expect((await world.admin.post('/api/channel', fields)).success).toBe(true)
  expect(dataOf(await world.admin.get('/api/channel/search?keyword=listed'))).toMatchObject([{ models: 'm7,m8' }])
})

describe('channel activity of the last 24 hours (docs/reference/channels.md#activity)', () => {
  const activity = async (...ids: number[]): Promise<ChannelActivity> =>
    dataOf(await world.admin.post('/api/channel/activity', { ids }))
  const sum = (counts: readonly number[]) => counts.reduce((total, n) => total + n, 0)

  it('counts served and failed requests, hour by hour, and is read once a minute', async () => {
    const broken = await world.channel({ name: 'broken', models: 'm2', priority: 9 })
    const works = await world.channel({ name: 'works', models: 'm2' })
    const idle = await world.channel({ name: 'idle', models: 'm3' })
    await activity(works)
    const fine = { body: chatAnswer('hi', { prompt: 1, completion: 1 }) }
    world.upstream.answers({ status: 500, body: { error: { message: 'overloaded' } } }, fine, fine)
    expect((await alice.asks('m2', 'hi')).status).toBe(200)
    await world.admin.get(`/api/channel/test/${works}`)
    expect(dataOf(await world.admin.get('/api/log?p=1&page_size=10&model_name=m2')).total).toBe(2)
    expect(sum((await activity(works)).channels[0]?.served ?? [])).toBe(0)
    world.clock.advanceSeconds(2 * 3600)
    const thisHour = Math.floor(world.clock.now() / 3_600_000) * 3600
    const { since, channels } = await activity(broken, works, idle)
    expect(since).toBe(thisHour - 23 * 3600)
    expect(channels.map(({ served, failed }) => [served.length, sum(served), sum(failed)])).toEqual([
      [24, 0, 1],
      [24, 1, 0],
      [24, 0, 0],
    ])
    expect(channels[1]?.served[21]).toBe(1)
    world.clock.advanceSeconds(24 * 3600)
    expect(
      (await activity(broken, works)).channels.flatMap(({ served, failed }) => [sum(served), sum(failed)]),
    ).toEqual([0, 0, 0, 0])
  })

  it('counts all of them, however long the log is, also if logging and hourly usage are off', async () => {
    world.clock.advanceSeconds(48 * 3600)
    const broken = await world.channel({ name: 'out', models: 'm5', priority: 9 })
    const works = await world.channel({ name: 'in', models: 'm5' })
    const fine = { body: chatAnswer('hi', { prompt: 1, completion: 1 }) }
    await world.option('LogConsumeEnabled', false)
    await world.option('DataExportEnabled', false)
    world.upstream.answers({ status: 500, body: { error: { message: 'overloaded' } } }, fine)
    expect((await alice.asks('m5', 'hi')).status).toBe(200)
    await world.option('LogConsumeEnabled', true)
    await world.option('DataExportEnabled', true)
    await world.admin.put('/api/channel/batch', { ids: [works], status: 2 })
    await world.admin.delete(`/api/channel/cooldowns/${broken}`)
    world.upstream.answers({ status: 400, body: { error: { message: 'your fault' } } })
    expect((await alice.asks('m5', 'hi')).status).toBe(400)
    // Adds more rows, all newer, than the gateway scans.
    const now = Math.floor(world.clock.now() / 1000)
    const entry = { user_id: alice.id, created_at: now, type: 2, channel_id: 999 }
    await addAuditRows(world.gateway.inner.db, new Array(51_000).fill(entry))
    world.clock.advanceSeconds(60)
    const { channels } = await activity(broken, works)
    expect(channels.map(({ served, failed }) => [sum(served), sum(failed)])).toEqual([
      [0, 1],
      [1, 0],
    ])
  })
})
