import { beforeAll, describe, expect, it } from 'vitest'
import { channelSorts } from '../../../shared/api/channel.ts'
import type { DashboardLive } from '../../../shared/api/data.ts'
import { redemptionSorts } from '../../../shared/api/redemption.ts'
import { tokenSorts } from '../../../shared/api/token.ts'
import { userSorts } from '../../../shared/api/user-admin.ts'
import { dataOf } from '../../support/client.ts'
import { aWorld, type World } from '../../support/world.ts'

type Row = Readonly<Record<string, string | number>>

let world: World
beforeAll(async () => {
  world = await aWorld()
  await world.channel({ name: 'Beta', models: 'm', priority: 3, weight: 1 })
  await world.channel({ name: 'alpha', models: 'm', priority: 9, weight: 7 })
  await world.channel({ name: 'Gamma', models: 'm', priority: 5, weight: 2, status: 2 })
  for (const username of ['Zoe', 'adam', 'Mia']) await world.user({ username })
  for (const [index, name] of ['Work', 'home', 'Car'].entries()) {
    const limits = { remain_quota: [50, 900, 7][index], unlimited_quota: false, expired_time: -1 }
    dataOf(await world.admin.post('/api/token', { name, ...limits }))
    dataOf(await world.admin.post('/api/redemption', { name, quota: [50, 900, 7][index], count: 1 }))
  }
})

const rowsOf = (data: unknown): readonly Row[] =>
  Array.isArray(data) ? data : (data as Readonly<{ items: readonly Row[] }>).items
const read = async (path: string): Promise<readonly Row[]> => rowsOf(dataOf(await world.admin.get(path)))

const folded = (value: string | number | undefined) => (typeof value === 'string' ? value.toLowerCase() : value)

describe('lists are sorted by the server, over all pages (docs/reference/api.md#paging)', () => {
  const lists = [
    ['/api/channel?', channelSorts, 'page_size'],
    ['/api/channel/search?keyword=a&', channelSorts, 'page_size'],
    ['/api/user?', userSorts, 'page_size'],
    ['/api/user/search?status=active&', userSorts, 'page_size'],
    ['/api/token?', tokenSorts, 'size'],
    ['/api/token/search?keyword=r&', tokenSorts, 'size'],
    ['/api/redemption?', redemptionSorts, 'page_size'],
    ['/api/redemption/search?keyword=c&', redemptionSorts, 'page_size'],
  ] as const
  const cases = lists.flatMap(([path, columns, size]) => columns.map((column) => [path, column, size] as const))

  it.each(cases)('%s by %s', async (path, column, size) => {
    const rising = await read(`${path}sort=${column}&${size}=100`)
    expect(rising.length).toBeGreaterThan(0)
    for (const [index, row] of rising.slice(1).entries()) {
      const [before, after] = [folded(rising[index]?.[column]), folded(row[column])]
      expect(before === after || (before ?? 0) < (after ?? 0)).toBe(true)
    }
    const falling = await read(`${path}sort=-${column}&${size}=100`)
    const values = (rows: readonly Row[]) => rows.map((row) => row[column])
    expect(values(falling)).toEqual(values(rising).toReversed())
  })

  it('begin with the row that is first of all, however short the page', async () => {
    expect((await read('/api/channel?sort=-weight&page_size=1')).map(({ name }) => name)).toEqual(['alpha'])
    expect((await read('/api/token?sort=-remain_quota&size=1')).map(({ name }) => name)).toEqual(['home'])
    expect((await read('/api/redemption?sort=quota&page_size=1')).map(({ name }) => name)).toEqual(['Car'])
  })

  it('keep their own order for an unknown column', async () => {
    for (const path of ['/api/channel', '/api/user', '/api/token', '/api/redemption'])
      expect(await read(`${path}?sort=password`)).toEqual(await read(path))
  })
})

describe('channels in trouble (docs/reference/channels.md#lists)', () => {
  const inTrouble = async (trouble: string) =>
    (await read(`/api/channel?sort=id&trouble=${trouble}`)).map(({ name }) => name)

  it('are those that cool down, and those that fail or failed their last test, if they are enabled', async () => {
    await world.channel({ name: 'limited', models: 'gpt-4o', key: 'limited-key' })
    await world.channel({ name: 'revoked', models: 'gpt-4o-mini', key: 'revoked-key' })
    world.upstream.answers(({ headers }) =>
      headers.authorization === 'Bearer revoked-key'
        ? { status: 401, body: { error: { message: 'no such key' } } }
        : { status: 429, headers: { 'retry-after': '60' }, body: { error: { message: 'slow down' } } },
    )
    const person = await world.user({ username: 'caller', quota: 1_000_000 })
    await person.asks('gpt-4o', 'hello')
    await person.asks('gpt-4o-mini', 'hello')
    expect(await inTrouble('cooling')).toEqual(['limited', 'revoked'])
    expect(await inTrouble('failing')).toEqual(['revoked'])
    const found = await read('/api/channel/search?keyword=e&trouble=failing')
    expect(found.map(({ name }) => name)).toEqual(['revoked'])
  })

  it('fail if no request succeeded, also after their cooldown, as on the dashboard', async () => {
    const id = await world.channel({ name: 'broken', models: 'gpt-4.1', key: 'broken-key' })
    const hour = Math.floor(world.clock.now() / 3_600_000) * 3600
    const record = (failed: number, served = 0) =>
      world.gateway.inner.db.insertInto('channel_hours').values({ created_at: hour, channel_id: id, served, failed })
    await record(1).execute()
    expect(await inTrouble('failing')).not.toContain('broken')
    await record(1)
      .onConflict((conflict) => conflict.columns(['created_at', 'channel_id']).doUpdateSet({ failed: 2 }))
      .execute()
    expect(await inTrouble('failing')).toContain('broken')
    const live: DashboardLive = dataOf(await world.admin.get('/api/data/live'))
    expect(live.channels?.first).toContainEqual({ id, name: 'broken', state: 'failed', reason: '', seconds: 0 })
    await record(2, 1)
      .onConflict((conflict) => conflict.columns(['created_at', 'channel_id']).doUpdateSet({ served: 1 }))
      .execute()
    expect(await inTrouble('failing')).not.toContain('broken')
  })
})
